import { formatTime, formatWeekday } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import { type Opening, openingOf } from '#shared/partner/hours.rules.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import styles from './branch-hours.module.css'

/** A page that stays open tells the hours of this moment, too. */
const everyMs = 15_000

/** The time for `openingOf`, on a page that stays open. */
export const useHoursNow = () => useNow(everyMs)

/** Whether a branch is open now, and until when or when it opens; nothing where that is not known. */
export function HoursOfBranch({ hours }: { readonly hours: BranchHours | undefined }) {
  return hours === undefined ? null : <KnownHours hours={hours} />
}

function KnownHours({ hours }: { readonly hours: BranchHours }) {
  return <OpeningLine opening={openingOf(hours, useHoursNow())} />
}

/** Not on paper, which does not know the time. */
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
        : t('openUntil', { time: formatTime(isoOf(opening.until), language) })
    const at = isoOf(opening.opensAt)
    const time = formatTime(at, language)
    return opening.isToday
      ? t('opensToday', { time })
      : t('opensOn', { day: formatWeekday(at, language), time })
  }
}
