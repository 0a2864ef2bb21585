import { formatTime, formatWeekday } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import { type Opening, openingOf } from '#shared/partner/hours.rules.ts'
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
