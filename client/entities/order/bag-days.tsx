import type { ReactNode } from 'react'
import { formatSpanInBoth, formatWeekdayAndDayInBoth, formatWeekdays } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import textStyles from '#client/ui/text.module.css'
import { type Day, dayOf } from '#shared/platform/promises.rules.ts'

/** A page that stays open reads the day again this often. */
export const daysEveryMs = 5 * 60_000

type Days = readonly [Day, Day]

const weekMs = 7 * 24 * 60 * 60_000

/** The days on which a bag usually arrives, in large letters: days of the week, where they are clear. */
export function useArrivalTitle(): (days: Days) => string {
  const language = useLanguage()
  return ([first, last]) =>
    Date.parse(last) - Date.parse(first) < weekMs
      ? formatWeekdays(first, last, language)
      : formatSpanInBoth(first, last, language)
}

interface ArrivalProps {
  readonly days: Days
  readonly now: number
  /** True when the owner gets a message. */
  readonly isTold?: boolean
  /** The place of arrival. */
  readonly children?: ReactNode
}

/** Below the title: the days in both calendars, where, and that they are usual. */
export function Arrival({ days: [first, last], now, isTold = false, children }: ArrivalProps) {
  const { t } = useTranslation('bag-days')
  const language = useLanguage()
  const said = t(dayOf(now) > last ? 'passed' : 'usual')
  return (
    <>
      <p>{formatSpanInBoth(first, last, language)}</p>
      {children}
      <p className={textStyles.quiet}>{isTold ? `${said} ${t('told')}` : said}</p>
    </>
  )
}

/** The day until which a branch keeps a bag. */
export function KeptUntil({ day }: { readonly day: Day }) {
  const { t } = useTranslation('bag-days')
  const language = useLanguage()
  return <p>{t('kept', { day: formatWeekdayAndDayInBoth(day, language) })}</p>
}
