import { formatTime, formatWeekdayAndDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import textStyles from '#client/ui/text.module.css'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import styles from './handover-receipt.module.css'
import { TagFact } from './tag-parts.tsx'

interface HandoverReceiptProps {
  /** The hand-over that the agent recorded. */
  readonly event: BookingEvent
  readonly awb: string | null
  /** The stub was torn off while the page is open. */
  readonly isNew: boolean
}

/** Receipt of a hand-over for the owner, in place of the stub: agent, time and number. */
export function HandoverReceipt({ event: { at, place }, awb, isNew }: HandoverReceiptProps) {
  const { t } = useTranslation('tag')
  const language = useLanguage()
  const time = formatTime(at, language)
  return (
    <div className={classes(styles.receipt, isNew && styles.isNew)}>
      <div className={styles.receiptPaper}>
        <p className={`${layout.line} ${layout.gap3} ${styles.receiptHead}`}>
          <Icon name="tick" />
          <span>
            {place === undefined
              ? t('receipt.takenAt', { time })
              : t('receipt.takenBy', { agent: inLanguage(place, language), time })}
          </span>
        </p>
        <dl>
          <TagFact name={t('receipt.time')}>
            <time dateTime={at}>{formatWeekdayAndDayInBoth(at, language)}</time>
          </TagFact>
          {awb === null ? null : (
            <TagFact name={t('receipt.awb')}>
              <Ltr>{awb}</Ltr>
            </TagFact>
          )}
        </dl>
        <p className={`${textStyles.hint} ${styles.receiptNote}`}>{t('receipt.keep')}</p>
      </div>
    </div>
  )
}
