import type { DaySpan } from '#shared/platform/promises.schemas.ts'

type DaysKey = 'days' | 'least' | 'oneOrTwo' | 'sameDay' | 'span' | 'upTo'

/** The days that a bag takes, such as `2–4 days`. `t` reads the texts of `promise`. In Arabic the words follow «خلال». */
export function daysTextOf(
  t: (key: DaysKey, values?: Readonly<Record<string, number | string>>) => string,
  [least, most]: DaySpan,
): string {
  if (most === 0) return t('sameDay')
  const days = t('days', { count: most })
  if (least === most) return days
  if (least === 0) return t('upTo', { days })
  if (least === 1 && most === 2) return t('oneOrTwo')
  return t('span', { least: t('least', { count: least }), days })
}
