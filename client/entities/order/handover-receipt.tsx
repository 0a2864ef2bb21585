import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import styles from './journey.module.css'

interface HandoverReceiptProps {
  /** The agent's hand-over. */
  readonly event: BookingEvent
  readonly awb: string | null
}

/** What the owner keeps of a hand-over: to whom, when, and the number. */
export function HandoverReceipt({ event, awb }: HandoverReceiptProps) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  return (
    <div className={styles.receipt} role="status">
      <p className={styles.receiptTitle}>
        <Icon name="tick" />
        {t('receipt.title')}
      </p>
      <dl className={styles.receiptFacts}>
        {event.place ? (
          <div>
            <dt>{t('receipt.place')}</dt>
            <dd>
              <bdi>{event.place}</bdi>
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{t('receipt.time')}</dt>
          <dd>
            <time dateTime={event.at}>{formatDateTime(event.at, language)}</time>
          </dd>
        </div>
        {awb === null ? null : (
          <div>
            <dt>{t('receipt.awb')}</dt>
            <dd>
              <Ltr>{awb}</Ltr>
            </dd>
          </div>
        )}
      </dl>
      <p className={styles.note}>{t('receipt.keep')}</p>
    </div>
  )
}
