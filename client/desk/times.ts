import { formatDate } from '#client/platform/days.ts'
import { spanOf } from '#shared/platform/duration.ts'
import { riyadhTimeOf } from '#shared/platform/instant.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

const format = new Intl.DateTimeFormat('en', {
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'Asia/Riyadh',
})

/** The time of day as the desk shows it in every language: `14:22`. @param at ISO 8601 or epoch milliseconds */
export const timeInRiyadh = (at: string | number): string => format.format(new Date(at))

/** The day in Riyadh: `2027-05-19`. @param at ISO 8601 or epoch milliseconds */
export const dayInRiyadh = (at: string | number): string => riyadhTimeOf(new Date(at).getTime()).slice(0, 10)

const dayMs = 24 * 3_600_000

/** `أمس`, `today`, `tomorrow`; any other day by its date. @param at epoch milliseconds */
export function dayInWords(at: number, now: number, language: LanguageCode): string {
  const day = dayInRiyadh(at)
  const ahead = (Date.parse(day) - Date.parse(dayInRiyadh(now))) / dayMs
  if (Math.abs(ahead) > 1) return formatDate(day, language)
  return new Intl.RelativeTimeFormat(languages[language].intl, { numeric: 'auto' }).format(ahead, 'day')
}

/** How long something has lasted, by itself: `ساعتان`, `12 minutes`. Inside a sentence it is `durationText`. */
export function formatAge(ms: number, language: LanguageCode): string {
  const [count, unit] = spanOf(ms)
  return new Intl.NumberFormat(languages[language].intl, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(count)
}

/** How long ago it was: `قبل ساعتين`, `12 minutes ago`. */
export function formatAgo(ms: number, language: LanguageCode): string {
  const [count, unit] = spanOf(ms)
  return new Intl.RelativeTimeFormat(languages[language].intl).format(-count, unit)
}
