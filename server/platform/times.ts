import { type LanguageCode, languages } from '#shared/platform/language.ts'
import type { FieldText } from './errors.ts'

/** Texts show the time in Riyadh, because phones are often set to the time of the home country. */
const timeZone = 'Asia/Riyadh'

const parts = (intl: string, part: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(intl, { ...part, timeZone })

export function dayAndTime(epochMs: number, language: LanguageCode): { day: string; time: string } {
  const { intl } = languages[language]
  return {
    day: parts(intl, { weekday: 'long' }).format(epochMs),
    time: parts(intl, { timeStyle: 'short' }).format(epochMs),
  }
}

export function dateInWords(epochMs: number, language: LanguageCode): string {
  return `${dayAndTime(epochMs, language).day} ${dayAndMonth(epochMs, language)}`
}

/** In Arabic the Hijri date comes first: `الأربعاء 13 ذو الحجة، 19 مايو`. */
export function datesInWords(epochMs: number, language: LanguageCode): string {
  if (language !== 'ar') return dateInWords(epochMs, language)
  const ofHijra = parts('ar-u-ca-islamic-umalqura-nu-latn', { day: 'numeric', month: 'long' })
  return `${dayAndTime(epochMs, language).day} ${ofHijra.format(epochMs)}، ${dayAndMonth(epochMs, language)}`
}

export function timeInWords(epochMs: number): FieldText {
  const texts = Object.values(languages).map(({ code }) => {
    const { time } = dayAndTime(epochMs, code)
    return [code, `${dayAndMonth(epochMs, code)}${code === 'ar' ? '،' : ','} ${time}`] as const
  })
  return Object.fromEntries(texts) as Record<LanguageCode, string>
}

function dayAndMonth(epochMs: number, language: LanguageCode): string {
  const { intl } = languages[language]
  const [day, month] = ([{ day: 'numeric' }, { month: 'long' }] as const).map((part) =>
    parts(intl, part).format(epochMs),
  )
  return `${day} ${month}`
}
