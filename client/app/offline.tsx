import { Suspense } from 'react'
import { useSession } from '#client/session/session.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { isPaymentDocument } from './documents.tsx'
import { lazyPart } from './lazy-part.ts'

const Preparations = lazyPart(async () => (await import('./offline-preparations.tsx')).OfflinePreparations)

/** Use without a network, for signed-in people only. Not beside the card widget. */
export function Offline() {
  const { role } = useSession()
  if (isPaymentDocument || role === null) return null
  return (
    // Without it the app works as before, only not off line.
    <ErrorBoundary resetKey={role} fallback={() => null}>
      <Suspense fallback={null}>
        <Preparations />
      </Suspense>
    </ErrorBoundary>
  )
}
