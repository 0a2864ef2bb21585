import { formatDate } from '#client/platform/days.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { isolated } from '../isolated.ts'
import { dayAndTime, useMinute } from '../moment.tsx'
import { dayInRiyadh } from '../times.ts'
import type { Deadline } from './timeline.rules.ts'

/** A deadline in words. The deadline of a claim is a day. */
export function useDeadlineText() {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const now = useMinute()
  return ({ kind, at, number = '' }: Deadline) => {
    const isPassed = at <= now
    const tense = isPassed ? 'passed' : 'until'
    // A day ends at midnight, which already belongs to the next day.
    const day = formatDate(dayInRiyadh(at - 1), language)
    const values = dayAndTime(new Date(at).toISOString(), language)
    return {
      isPassed,
      what: t(`deadline.${kind}`, { number: isolated(number) }),
      when: kind === 'claim' ? t(`deadline.${tense}Day`, { day }) : t(`deadline.${tense}`, values),
    }
  }
}
