import { useSession } from '#client/session/session.ts'
import { isPaymentDocument } from './documents.tsx'
import { lazyPart } from './lazy-part.ts'
import { Optional } from './optional.tsx'

const Preparations = lazyPart(async () => (await import('./offline-preparations.tsx')).OfflinePreparations)

/** Use without a network, for signed-in people only. Not beside the card widget. */
export function Offline() {
  const { role } = useSession()
  if (isPaymentDocument || role === null) return null
  return (
    // Without it the app works as before, only not off line.
    <Optional resetKey={role}>
      <Preparations />
    </Optional>
  )
}
