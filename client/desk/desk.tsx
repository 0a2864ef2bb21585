import { lazy, Suspense } from 'react'
import { reloadDocument } from '#client/platform/document.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import type { Outcome } from './outcome.ts'
import { hasSignedIn, useDeskSession } from './session.queries.ts'
import { Failed, Loading, SessionOver, SignedOut } from './signed-out.tsx'

const load = async () => ({ default: (await import('./signed-in.tsx')).SignedIn })

/** A separate file with antd. Pages without a session do not load it. */
const SignedIn = lazy(load)

/** Loads the desk while the server is asked for the session. */
export function loadEarly(): void {
  if (hasSignedIn()) void load().catch(() => undefined)
}

/** The desk, or the sign-in page. */
export function Desk({ outcome }: { outcome: Outcome | undefined }) {
  const { data: session, error, refetch } = useDeskSession()
  if (session === 'out') return <SignedOut outcome={outcome} />
  // A failed sign-in is shown even when the browser had a session before.
  if (session === 'over') return outcome === undefined ? <SessionOver /> : <SignedOut outcome={outcome} />
  if (session === undefined)
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />
  return (
    <ErrorBoundary
      resetKey={session.name}
      fallback={(problem) => <Failed error={problem} onRetry={reloadDocument} />}
    >
      <Suspense fallback={<Loading />}>
        <SignedIn staff={session} outcome={outcome} />
      </Suspense>
    </ErrorBoundary>
  )
}
