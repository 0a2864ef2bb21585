import { useNavigate } from 'react-router-dom'
import { isSameReceiver } from '#client/entities/order/receiver.rules.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { Button } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import styles from './checkout.module.css'

interface SameReceiverProps {
  /** The receiver of the earlier order whose route is booked again. */
  readonly offered: NamedReceiver | undefined
  readonly named: NamedReceiver
  /** True while a form next to it is open. */
  readonly isHeld: boolean
  readonly onChange: (named: NamedReceiver) => void
}

/**
 * A checkbox that takes over the receiver of the earlier order. It is absent when another receiver is named. It names the receiver
 * until it is ticked: then the name stands above it.
 */
export function SameReceiver({ offered, named, isHeld, onChange }: SameReceiverProps) {
  const { t } = useTranslation('checkout')
  if (offered?.receiver === undefined || isHeld) return null
  const isTicked = isSameReceiver(named, offered)
  if (!isTicked && !isSameReceiver(named, {})) return null
  return (
    <label className={`${layout.line} ${layout.gap3} ${styles.same}`}>
      <input
        type="checkbox"
        checked={isTicked}
        onChange={(event) => onChange(event.target.checked ? offered : {})}
      />
      <span>{isTicked ? t('receiver.asBefore') : t('receiver.same', { name: offered.receiver.name })}</span>
    </label>
  )
}

/** Says that an unfinished booking waits, and leads back to it. */
export function BegunBooking({ onResume }: { readonly onResume: () => void }) {
  const { t } = useTranslation('checkout')
  const navigate = useNavigate()
  return (
    <Note tone="pending" className={styles.earlier} role="status">
      <div>
        <p>{t('aside')}</p>
        <Button
          look="quiet"
          onClick={() => {
            onResume()
            // It replaces the review in the history, because the draft of the review is gone.
            void navigate(paths.booking, { replace: true })
          }}
        >
          {t('asideResume')}
        </Button>
      </div>
    </Note>
  )
}
