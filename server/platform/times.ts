import { type LanguageCode, languages } from '#shared/platform/language.ts'
import type { FieldText } from './errors.ts'

/** Phones are often set to the time of the home country. */
const timeZone = 'Asia/Riyadh'

const dateTimes = Object.values(languages).map(
  ({ code, intl }) =>
    [code, new Intl.DateTimeFormat(intl, { dateStyle: 'long', timeStyle: 'short', timeZone })] as const,
)

const parts = (intl: string, part: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(intl, { ...part, timeZone })

export function dayAndTime(epochMs: number, language: LanguageCode): { day: string; time: string } {
  const { intl } = languages[language]
  return {
    day: parts(intl, { weekday: 'long' }).format(epochMs),
    time: parts(intl, { timeStyle: 'short' }).format(epochMs),
  }
}

/** The date in Riyadh without the year: `Wednesday 26 May`. */
export function dateInWords(epochMs: number, language: LanguageCode): string {
  const { intl } = languages[language]
  const [weekday, day, month] = ([{ weekday: 'long' }, { day: 'numeric' }, { month: 'long' }] as const).map(
    (part) => parts(intl, part).format(epochMs),
  )
  return `${weekday} ${day} ${month}`
}

export function timeInWords(epochMs: number): FieldText {
  const texts = dateTimes.map(([code, format]) => [code, format.format(epochMs)] as const)
  return Object.fromEntries(texts) as Record<LanguageCode, string>
}
