import type { DaySpan } from '#shared/platform/promises.schemas.ts'

type DaysKey = 'days' | 'least' | 'oneOrTwo' | 'sameDay' | 'span' | 'upTo'

/** Days for the middle of a sentence: no line ends after a number of them, or after the dash between two. */
export const unbroken = (days: string): string =>
  days.replaceAll('–', '–\u2060').replaceAll(/(\d) /g, '$1\u00a0')

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
