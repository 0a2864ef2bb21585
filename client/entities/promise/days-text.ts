import { useTranslation } from '#client/platform/i18n.ts'
import type { DaySpan } from '#shared/platform/promises.schemas.ts'

/** The days that a bag takes, such as `2–4 days`. In Arabic the words follow «خلال». */
export function useDaysText(): (span: DaySpan) => string {
  const { t } = useTranslation('promise')
  return ([least, most]) => {
    if (most === 0) return t('sameDay')
    const days = t('days', { count: most })
    if (least === most) return days
    if (least === 0) return t('upTo', { days })
    if (least === 1 && most === 2) return t('oneOrTwo')
    return t('span', { least: t('least', { count: least }), days })
  }
}
