import { useTranslation } from '#client/platform/i18n.ts'
import type { DaySpan } from '#shared/platform/promises.schemas.ts'
import { daysTextOf } from './days-text.rules.ts'

/** The days that a bag takes, such as `2–4 days`. In Arabic the words follow «خلال». */
export function useDaysText(): (span: DaySpan) => string {
  const { t } = useTranslation('promise')
  return (span) => daysTextOf((key, values) => t(key, { ...values }), span)
}
