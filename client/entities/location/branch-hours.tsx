import { Fragment } from 'react'
import { formatShift, formatTime, formatWeekday, formatWeekdayRun } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import layout from '#client/ui/layout.module.css'
import pointStyles from '#client/ui/points.module.css'
import textStyles from '#client/ui/text.module.css'
import { isSeason, type Opening, openingOf, weekOf } from '#shared/partner/hours.rules.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'
import styles from './branch-hours.module.css'

/** A page that stays open also shows the hours of the present moment. */
const everyMs = 15_000

/** The time for `openingOf`, on a page that stays open. */
export const useHoursNow = () => useNow(everyMs)

/** Shows whether a branch is open, and when it closes or opens; nothing when the hours are not known. */
export function HoursOfBranch({ hours }: { readonly hours: BranchHours | undefined }) {
  return hours === undefined ? null : <KnownHours hours={hours} />
}

function KnownHours({ hours }: { readonly hours: BranchHours }) {
  return <OpeningLine opening={openingOf(hours, useHoursNow())} />
}

/** The opening hours of a usual week: `Sun–Thu 8–23 · Fri–Sat 16–20`; nothing when they are not known. */
export function HoursOfWeek({ hours }: { readonly hours: BranchHours | undefined }) {
  const { t } = useTranslation('branch-hours')
  const language = useLanguage()
  if (hours === undefined) return null
  const comma = language === 'ar' ? '، ' : ', '
  const week = weekOf(hours)
  return (
    <span className={`${layout.cluster} ${pointStyles.points} ${styles.week}`}>
      {week.map(({ days, shifts }, index) => (
        <span key={JSON.stringify(days)}>
          {index === 0 ? null : <span className="visually-hidden"> · </span>}
          <span>
            {days?.map(([first, last]) => formatWeekdayRun(first, last, language)).join(comma) ??
              t('everyDay')}
          </span>
          {shifts.map(({ from, to }, at) => (
            <Fragment key={from}>
              <span>{at === 0 ? ' ' : comma}</span>
              <span>{formatShift(from, to, language)}</span>
            </Fragment>
          ))}
        </span>
      ))}
    </span>
  )
}

/** Says in Ramadan and in the month of the Hajj that the hours of the week may not hold. */
export function SeasonNote() {
  const { t } = useTranslation('branch-hours')
  return isSeason(useHoursNow()) ? <span className={textStyles.hint}>{t('season')}</span> : null
}

/** It is not printed, because it would be wrong later. */
export function OpeningLine({ opening }: { readonly opening: Opening | undefined }) {
  const text = useOpeningText()
  return opening === undefined ? null : (
    <span className={`${styles.hours} ${styles[opening.state]}`} data-screen>
      {text(opening)}
    </span>
  )
}

function useOpeningText() {
  const { t } = useTranslation('branch-hours')
  const language = useLanguage()
  return (opening: Opening): string => {
    if (opening.state === 'unsure') return t('unsure')
    if (opening.state === 'open')
      return opening.until === undefined
        ? t('open')
        : t('openUntil', { time: formatTime(opening.until, language) })
    const time = formatTime(opening.opensAt, language)
    return opening.isToday
      ? t('opensToday', { time })
      : t('opensOn', { day: formatWeekday(opening.opensAt, language), time })
  }
}
