import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import type { Outcome } from './outcome.ts'
import { DeskRoutes } from './routes.tsx'
import { useDeskSession } from './session.queries.ts'
import { Shell } from './shell.tsx'
import { Failed, Loading, SessionOver, SignedOut } from './signed-out.tsx'

/** The desk, or the way into it. */
export function Desk({ outcome }: { readonly outcome: Outcome | undefined }) {
  const { data: session, error, refetch } = useDeskSession()
  if (session === 'out') return <SignedOut outcome={outcome} />
  // A sign-in that failed is said, whatever was before it.
  if (session === 'over') return outcome === undefined ? <SessionOver /> : <SignedOut outcome={outcome} />
  if (session !== undefined) return <SignedIn staff={session} outcome={outcome} />
  return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />
}

interface SignedInProps {
  readonly staff: StaffSession
  readonly outcome: Outcome | undefined
}

function SignedIn({ staff, outcome }: SignedInProps) {
  return (
    <Shell staff={staff} outcome={outcome}>
      <DeskRoutes staff={staff} />
    </Shell>
  )
}
