import { formatDate } from '#client/platform/days.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Card } from '../card.tsx'
import { useMinute } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { dayInRiyadh, timeInRiyadh } from '../times.ts'
import styles from './claim.module.css'
import type { DeskClaim } from './claims.queries.ts'
import { deadlinesOfClaim } from './claims.rules.ts'

/** By which day what is due; the authority is named only when ours has passed. */
export function DeadlinesCard({ claim }: { readonly claim: DeskClaim }) {
  const { t } = useTranslation('desk-claims')
  const language = useLanguage()
  const today = dayInRiyadh(useMinute())
  return (
    <Card title={t('deadlines')}>
      <ol className={styles.deadlines}>
        {deadlinesOfClaim(claim, dayInRiyadh).map(({ step, doneAt, until }) => {
          const isLate = until !== undefined && until < today
          const tone = doneAt === undefined ? '' : styles.done
          return (
            <li key={step} className={tone}>
              <span>{t(`step.${step}`)}</span>
              <b className={isLate ? styles.late : undefined}>
                {doneAt === undefined
                  ? until === undefined
                    ? t('afterPassing')
                    : t(isLate ? 'passed' : 'until', { day: formatDate(until, language) })
                  : `${formatDate(dayInRiyadh(doneAt), language)} ${timeInRiyadh(doneAt)}`}
              </b>
            </li>
          )
        })}
      </ol>
      <p className={pageStyles.small}>{t('workingDays')}</p>
      {claim.lateSince === null ? null : <p className={pageStyles.small}>{t('authority')}</p>}
    </Card>
  )
}
