import { formatDay, formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { isolated } from '../isolated.ts'
import { useMinute } from '../moment.tsx'
import type { Deadline } from './timeline.rules.ts'

/** A deadline in words. The deadline of a claim is a day. */
export function useDeadlineText() {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const now = useMinute()
  return ({ kind, at, number = '' }: Deadline) => {
    const isPassed = at <= now
    // A day ends at midnight, which already belongs to the next day.
    const time = kind === 'claim' ? formatDay(at - 1, language) : formatMoment(at, language)
    return {
      isPassed,
      what: t(`deadline.${kind}`, { number: isolated(number) }),
      when: t(isPassed ? 'deadline.passed' : 'deadline.until', { time }),
    }
  }
}
