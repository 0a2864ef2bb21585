import { Steps } from 'antd'
import { dayInRiyadh, formatDay, formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Card } from '../card.tsx'
import { useMinute } from '../moment.tsx'
import pageStyles from '../page.module.css'
import type { DeskClaim } from './claims.queries.ts'
import { deadlinesOfClaim } from './claims.rules.ts'

/** The steps of a claim and the day of each. The authority is named only after our own deadline. */
export function DeadlinesCard({ claim }: { claim: DeskClaim }) {
  const { t } = useTranslation('desk-claims')
  const language = useLanguage()
  const today = dayInRiyadh(useMinute())
  const dayOf = ({ doneAt, until }: ReturnType<typeof deadlinesOfClaim>[number]) => {
    if (doneAt !== undefined) return formatMoment(doneAt, language)
    if (until === undefined) return t('afterPassing')
    return t(until < today ? 'passed' : 'until', { day: formatDay(until, language) })
  }
  return (
    <Card title={t('deadlines')}>
      <Steps
        orientation="vertical"
        type="dot"
        size="small"
        items={deadlinesOfClaim(claim, dayInRiyadh).map((deadline) => {
          const isLate = deadline.until !== undefined && deadline.until < today
          return {
            key: deadline.step,
            status: deadline.doneAt !== undefined ? 'finish' : isLate ? 'error' : 'wait',
            title: t(`step.${deadline.step}`),
            content: dayOf(deadline),
          }
        })}
      />
      <p className={pageStyles.small}>{t('workingDays')}</p>
      {claim.lateSince === null ? null : <p className={pageStyles.small}>{t('authority')}</p>}
    </Card>
  )
}
