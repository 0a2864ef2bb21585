import { useEffect } from 'react'
import { keepAllOrders } from '#client/entities/order/kept-orders.queries.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useRefocus } from '#client/platform/use-refocus.ts'
import { waits } from '#client/platform/waits.ts'
import { useSession } from '#client/session/session.ts'
import { Button } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { lazyPart } from './lazy-part.ts'
import styles from './offline.module.css'
import { Optional } from './optional.tsx'
import { lookForRelease, startWorker, takeRelease, useIsReleaseWaiting } from './worker.ts'

/** The page on screen comes first. */
const ordersAfterMs = 5_000

const AgentPreparations = lazyPart(async () => (await import('./agent-preparations.tsx')).AgentPreparations)

/** Prepares use without a network for the signed-in person, and offers a new release. */
export function OfflinePreparations() {
  const { user, agent } = useSession()
  const userId = user?.id
  useEffect(() => void startWorker(), [])
  useRefocus(lookForRelease, waits.refocus)

  useEffect(() => {
    if (userId === undefined) return
    const timer = setTimeout(() => void keepAllOrders(userId), ordersAfterMs)
    return () => clearTimeout(timer)
  }, [userId])

  return (
    <>
      <UpdateNote />
      {agent === null ? null : (
        // If this part fails, the scanner sends the confirmations.
        <Optional resetKey={String(agent.id)}>
          <AgentPreparations agentId={agent.id} />
        </Optional>
      )}
    </>
  )
}

/** Never reloads by itself: something may be half typed. */
function UpdateNote() {
  const { t } = useTranslation('offline')
  const isWaiting = useIsReleaseWaiting()
  return (
    <div role="status">
      {isWaiting ? (
        <p className={`${layout.cluster} ${layout.gap3} ${styles.updateNote}`}>
          <span>{t('update.text')}</span>
          <Button onClick={takeRelease}>{t('update.load')}</Button>
        </p>
      ) : null}
    </div>
  )
}
