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

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** In whole units: minutes, hours to three days, then days. */
function spanOf(ms: number): readonly [count: number, unit: 'minute' | 'hour' | 'day'] {
  if (ms < hourMs) return [Math.max(1, Math.floor(ms / minuteMs)), 'minute']
  if (ms < 3 * dayMs) return [Math.floor(ms / hourMs), 'hour']
  return [Math.floor(ms / dayMs), 'day']
}

/** How long something has lasted: `53 ساعة`, `12 minutes`. */
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
