import type { ReactNode } from 'react'
import { formatTime, formatWeekdayAndDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
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
  /** The picture that the agent took; the receipt is a slip beside it. */
  readonly photo?: ReactNode
}

/** Receipt of a hand-over for the owner, in place of the stub: agent, time and number. */
export function HandoverReceipt({ event: { at, place }, awb, isNew, photo }: HandoverReceiptProps) {
  const { t } = useTranslation('tag')
  const language = useLanguage()
  const day = formatWeekdayAndDayInBoth(at, language)
  const receipt = (
    <div className={classes(styles.receipt, isNew && styles.isNew)}>
      <div className={styles.receiptPaper}>
        <p className={`${layout.line} ${layout.gap3} ${styles.receiptHead}`}>
          <Icon name="tick" />
          <span>{t('receipt.title')}</span>
        </p>
        <dl>
          {place === undefined ? null : (
            <TagFact name={t('receipt.by')}>
              <bdi>{inLanguage(place, language)}</bdi>
            </TagFact>
          )}
          <TagFact name={t('receipt.time')}>
            <time dateTime={at}>{t('receipt.at', { day, time: formatTime(at, language) })}</time>
          </TagFact>
          {awb === null ? null : (
            <TagFact name={t('receipt.awb')}>
              <Ltr>{awb}</Ltr>
            </TagFact>
          )}
        </dl>
      </div>
    </div>
  )
  return photo ? (
    <div className={`${layout.cluster} ${styles.hung}`}>
      {photo}
      {receipt}
    </div>
  ) : (
    receipt
  )
}
