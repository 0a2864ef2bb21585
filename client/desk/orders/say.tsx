import { formatMomentInWords } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import { isolated } from '../isolated.ts'
import { useMinute } from '../moment.tsx'
import pageStyles from '../page.module.css'
import styles from './order.module.css'
import { placeText } from './place.ts'
import { sayingsOf } from './say.rules.ts'

/** Sentences for the caller: the state of the order and its bags, then the next step and the next deadline. */
export function Say({ order, next }: { order: DeskOrder; next: string }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const now = useMinute()
  const sentences = sayingsOf(order).map(({ key, booking }) => {
    const at = booking?.lastEventAt ?? order.createdAt
    return t(`say.${key}`, {
      from: booking && isolated(placeText(booking.origin, language)),
      to: booking && isolated(placeText(booking.destination, language)),
      time: formatMomentInWords(at, now, language),
    })
  })
  return (
    <section className={styles.say} aria-label={t('say.label')}>
      <p className={pageStyles.small}>
        <b>{t('say.label')}</b>
      </p>
      {[...new Set(sentences)].map((sentence) => (
        <p key={sentence} className={styles.sentence}>
          {sentence}
        </p>
      ))}
      {next === '' ? null : <p>{next}</p>}
    </section>
  )
}
