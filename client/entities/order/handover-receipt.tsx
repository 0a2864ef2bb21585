import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { Fact } from '#client/ui/fact.tsx'
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
          <Fact name={t('receipt.place')}>
            <bdi>{event.place}</bdi>
          </Fact>
        ) : null}
        <Fact name={t('receipt.time')}>
          <time dateTime={event.at}>{formatDateTime(event.at, language)}</time>
        </Fact>
        {awb === null ? null : (
          <Fact name={t('receipt.awb')}>
            <Ltr>{awb}</Ltr>
          </Fact>
        )}
      </dl>
      <p className={styles.note}>{t('receipt.keep')}</p>
    </div>
  )
}
