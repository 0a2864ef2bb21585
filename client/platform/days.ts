import { type LanguageCode, languages } from '#shared/platform/language.ts'

/*
 * Days and hours on the way of a bag, in Riyadh. Apart from format.ts, which comes with every first page.
 */

const formats = new Map<string, Intl.DateTimeFormat>()

/** Made once for each: making one costs more than formatting with it. */
function formatFor(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'Asia/Riyadh' })
  formats.set(key, format)
  return format
}

/** The time of day in Riyadh by the 24-hour clock, as on a label: `16:20`. `iso`: ISO 8601. */
export function formatHour(iso: string): string {
  return formatFor('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(iso))
}

interface DayParts {
  readonly day: string | undefined
  readonly month: string | undefined
  readonly year: string | undefined
}

function partsOf(iso: string, locale: string): DayParts {
  const parts = formatFor(locale, dayMonthYear).formatToParts(new Date(iso))
  const partOf = (part: keyof DayParts) => parts.find(({ type }) => type === part)?.value
  return { day: partOf('day'), month: partOf('month'), year: partOf('year') }
}

const dayMonthYear = { day: 'numeric', month: 'long', year: 'numeric' } as const

const gregorian = (iso: string, language: LanguageCode) => partsOf(iso, languages[language].intl)

/** The Umm al-Qura date in Riyadh; undefined where the browser does not know that calendar. */
function ummAlQura(iso: string, language: LanguageCode): DayParts | undefined {
  const locale = `${language}-u-ca-islamic-umalqura-nu-latn`
  const isKnown = formatFor(locale, dayMonthYear).resolvedOptions().calendar === 'islamic-umalqura'
  return isKnown ? partsOf(iso, locale) : undefined
}

/** In every language, so that two calendars side by side are read alike. */
const dayFirst = ({ day, month }: DayParts) => `${day} ${month}`

/** The Hijri year in Riyadh, where it is known: `1448`. `iso`: ISO 8601. */
export function formatHijriYear(iso: string, language: LanguageCode): string | undefined {
  return ummAlQura(iso, language)?.year
}

/** Day and month in Riyadh in both calendars, Umm al-Qura first: `12 ذو الحجة · 18 مايو`. `iso`: ISO 8601. */
export function formatBothDays(iso: string, language: LanguageCode): string {
  const days = [ummAlQura(iso, language), gregorian(iso, language)].filter((parts) => parts !== undefined)
  return days.map(dayFirst).join(' · ')
}

/** Both days and the time of day in Riyadh: `12 ذو الحجة · 18 مايو، 16:20`. `iso`: ISO 8601. */
export function formatMoment(iso: string, language: LanguageCode): string {
  return `${formatBothDays(iso, language)}${language === 'ar' ? '،' : ','} ${formatHour(iso)}`
}

/** A day of the Gregorian calendar with its name and without its year: `الأربعاء 26 مايو`. `day`: `2027-05-26`. */
export function formatDate(day: string, language: LanguageCode): string {
  // Noon in Riyadh, so that no zone moves it to another day.
  const noon = `${day}T09:00:00Z`
  const weekday = formatFor(languages[language].intl, { weekday: 'long' }).format(new Date(noon))
  return `${weekday} ${dayFirst(gregorian(noon, language))}`
}

/** Days from one to the other by the calendar of Umm al-Qura, where it is known: `12–14 ذو الحجة`. ISO 8601. */
export function formatSpan(from: string, to: string, language: LanguageCode): string {
  const [first, last] = [from, to].map((iso) => ummAlQura(iso, language) ?? gregorian(iso, language))
  if (first === undefined || last === undefined) return ''
  if (dayFirst(first) === dayFirst(last)) return dayFirst(last)
  return first.month === last.month
    ? `${first.day}–${dayFirst(last)}`
    : `${dayFirst(first)} – ${dayFirst(last)}`
}
