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

/** Noon in Riyadh of a day, which no zone moves to another day. `day`: `2027-05-26`. */
export const noonOf = (day: string): string => `${day}T09:00:00Z`

const weekdayOf = (day: string, language: LanguageCode) =>
  formatFor(languages[language].intl, { weekday: 'long' }).format(new Date(noonOf(day)))

/** A day of the Gregorian calendar with its name and without its year: `الأربعاء 26 مايو`. `day`: `2027-05-26`. */
export function formatDate(day: string, language: LanguageCode): string {
  return `${weekdayOf(day, language)} ${dayFirst(gregorian(noonOf(day), language))}`
}

/** Day and month of a day in both calendars: `12 ذو الحجة · 18 مايو`. `day`: `2027-05-18`. */
export const formatDayOfBoth = (day: string, language: LanguageCode): string =>
  formatBothDays(noonOf(day), language)

/** The same with the day of the week: `الثلاثاء 12 ذو الحجة · 18 مايو`. `day`: `2027-05-18`. */
export const formatDateOfBoth = (day: string, language: LanguageCode): string =>
  `${weekdayOf(day, language)} ${formatDayOfBoth(day, language)}`

/** Days of the week: `الأحد إلى الثلاثاء`. `first`, `last`: `2027-05-18`. */
export function formatWeekdays(first: string, last: string, language: LanguageCode): string {
  const weekday = weekdayOf(first, language)
  return first === last ? weekday : `${weekday}${rangeOf(language).words}${weekdayOf(last, language)}`
}

/** A range in words: a dash between Arabic digits is read the wrong way round. */
const rangeOf = (language: LanguageCode) =>
  language === 'ar'
    ? { days: ' إلى ', months: ' إلى ', words: ' إلى ' }
    : { days: '–', months: ' – ', words: ' to ' }

function spanOf(first: DayParts, last: DayParts, language: LanguageCode): string {
  if (dayFirst(first) === dayFirst(last)) return dayFirst(last)
  const { days, months } = rangeOf(language)
  return first.month === last.month
    ? `${first.day}${days}${dayFirst(last)}`
    : `${dayFirst(first)}${months}${dayFirst(last)}`
}

/** Days from one to the other by the calendar of Umm al-Qura, where it is known: `12 إلى 14 ذو الحجة`. ISO 8601. */
export function formatSpan(from: string, to: string, language: LanguageCode): string {
  const [first, last] = [ummAlQura(from, language), ummAlQura(to, language)]
  return first !== undefined && last !== undefined
    ? spanOf(first, last, language)
    : spanOf(gregorian(from, language), gregorian(to, language), language)
}

/** Days from one to the other in both calendars: `12 إلى 14 ذو الحجة · 18 إلى 20 مايو`. `first`, `last`: `2027-05-18`. */
export function formatSpanOfBoth(first: string, last: string, language: LanguageCode): string {
  const [from, to] = [noonOf(first), noonOf(last)]
  const inGregorian = spanOf(gregorian(from, language), gregorian(to, language), language)
  const inUmmAlQura = formatSpan(from, to, language)
  return inUmmAlQura === inGregorian ? inGregorian : `${inUmmAlQura} · ${inGregorian}`
}
