import { spanOf } from '#shared/platform/duration.ts'
import { riyadhTimeOf } from '#shared/platform/instant.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

/*
 * The dates and times of all pages, in Riyadh: phones are often set to the time of the home country. The day comes before
 * the month, and the time after the day. The clock is that of the language's locale. A day has its year only
 * when that is not the present year by the clock of the device.
 *
 * A line never ends inside a time or a date. It may end between two dates, and between a weekday or a date and the time.
 *
 * Pilgrims see a planned day in both calendars: Umm al-Qura, then Gregorian. So is an event, except the steps of a bag on its
 * way, by which nobody plans. All other days, and all days at the counter and the desk, are Gregorian.
 */

/** ISO 8601, epoch milliseconds, or a day: midnight of `2027-05-18` in UTC is on the same day in Riyadh. */
type Moment = string | number

const formats = new Map<string, Intl.DateTimeFormat>()

/** Kept, because making a format costs more than formatting with it. */
function formatFor(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'Asia/Riyadh' })
  formats.set(key, format)
  return format
}

/** Keeps a time, a date or a number of days on one line: no line ends at its spaces, or after a hyphen or a dash. */
export const onOneLine = (text: string) => text.replaceAll(/\s/g, '\u00a0').replaceAll(/[-–]/g, '$&\u2060')

/** `4:20 م`, `16:20` */
export function formatTime(at: Moment, language: LanguageCode): string {
  return onOneLine(formatFor(languages[language].intl, { timeStyle: 'short' }).format(new Date(at)))
}

/** `الثلاثاء`, `Tuesday` */
export function formatWeekday(at: Moment, language: LanguageCode): string {
  return formatFor(languages[language].intl, { weekday: 'long' }).format(new Date(at))
}

/** `السبت–الخميس`, `Sat–Thu`; days of the week, 0 is Sunday. */
export function formatWeekdayRun(first: number, last: number, language: LanguageCode): string {
  const named = (weekday: number) =>
    // The first Sunday of 1970.
    formatFor(languages[language].intl, { weekday: 'short' }).format(Date.UTC(1970, 0, 4 + weekday))
  return first === last ? named(first) : `${named(first)}–${named(last)}`
}

/** `8 ص–11 م`, `4–11 م`, `8–23`: the hours of a shift in Riyadh, each such as 08:00. */
export function formatShift(from: string, to: string, language: LanguageCode): string {
  const read = (time: string) => time.split(':').map(Number) as [hour: number, minute: number]
  const [[opens, opensMinute], [closes, closesMinute]] = [read(from), read(to)]
  const shown = (hour: number, minute: number) =>
    minute === 0 ? `${hour}` : `${hour}:${String(minute).padStart(2, '0')}`
  if (language === 'en')
    return onOneLine(
      `${shown(opens, opensMinute)}–${shown(closes || 24 * Number(closesMinute === 0), closesMinute)}`,
    )
  const half = (hour: number) => (hour < 12 ? 'ص' : 'م')
  const first = shown(opens % 12 || 12, opensMinute)
  const last = `${shown(closes % 12 || 12, closesMinute)} ${half(closes)}`
  return onOneLine(
    half(opens) === half(closes) && from < to ? `${first}–${last}` : `${first} ${half(opens)}–${last}`,
  )
}

/** `الأحد إلى الثلاثاء`, `Sunday to Tuesday` */
export function formatWeekdays(first: Moment, last: Moment, language: LanguageCode): string {
  const [from, to] = [formatWeekday(first, language), formatWeekday(last, language)]
  return from === to ? from : `${from}${language === 'ar' ? ' إلى ' : ' to '}${to}`
}

/** `18 مايو`, `18 May`, `18 May 2026` */
export function formatDay(at: Moment, language: LanguageCode): string {
  return `${dayAndMonth(gregorian(at, language))}${otherYear(at)}`
}

/** `الثلاثاء 18 مايو`, `Tuesday 18 May` */
export function formatWeekdayAndDay(at: Moment, language: LanguageCode): string {
  return `${formatWeekday(at, language)} ${formatDay(at, language)}`
}

/** `18 مايو، 4:20 م`, `18 May, 16:20` */
export function formatMoment(at: Moment, language: LanguageCode): string {
  return dayAndTime(formatDay(at, language), at, language)
}

/** `12 ذو الحجة · 18 مايو`; only the Gregorian day where the browser does not know the calendar of Umm al-Qura. */
export function formatDayInBoth(at: Moment, language: LanguageCode): string {
  const days = [ummAlQura(at, language), gregorian(at, language)].filter((parts) => parts !== undefined)
  return `${days.map(dayAndMonth).join(betweenCalendars)}${otherYear(at)}`
}

/** `الثلاثاء 12 ذو الحجة · 18 مايو` */
export function formatWeekdayAndDayInBoth(at: Moment, language: LanguageCode): string {
  return `${formatWeekday(at, language)} ${formatDayInBoth(at, language)}`
}

/** `12 ذو الحجة · 18 مايو، 4:20 م` */
export function formatMomentInBoth(at: Moment, language: LanguageCode): string {
  return dayAndTime(formatDayInBoth(at, language), at, language)
}

/** `12 إلى 14 ذو الحجة · 18 إلى 20 مايو`, `25–27 Dhuʻl-Hijjah · 31 May – 2 June` */
export function formatSpanInBoth(first: Moment, last: Moment, language: LanguageCode): string {
  const inGregorian = fromTo(gregorian(first, language), gregorian(last, language), language)
  const inUmmAlQura = formatHijriSpan(first, last, language)
  const both = inUmmAlQura === inGregorian ? inGregorian : `${inUmmAlQura}${betweenCalendars}${inGregorian}`
  return `${both}${otherYear(last)}`
}

/** `12 إلى 14 ذو الحجة`; Gregorian where the browser does not know the calendar of Umm al-Qura. */
export function formatHijriSpan(first: Moment, last: Moment, language: LanguageCode): string {
  const [from, to] = [ummAlQura(first, language), ummAlQura(last, language)]
  return from !== undefined && to !== undefined
    ? fromTo(from, to, language)
    : fromTo(gregorian(first, language), gregorian(last, language), language)
}

/** `1448`; undefined where the browser does not know the calendar of Umm al-Qura. */
export function formatHijriYear(at: Moment, language: LanguageCode): string | undefined {
  return ummAlQura(at, language)?.year
}

/** `أمس`, `today`, `tomorrow`; any other day as `formatDay`. */
export function formatDayInWords(at: Moment, now: number, language: LanguageCode): string {
  const ahead = (Date.parse(dayInRiyadh(at)) - Date.parse(dayInRiyadh(now))) / dayMs
  if (Math.abs(ahead) > 1) return formatDay(at, language)
  return new Intl.RelativeTimeFormat(languages[language].intl, { numeric: 'auto' }).format(ahead, 'day')
}

/** `أمس، 4:20 م`, `yesterday, 16:20` */
export function formatMomentInWords(at: Moment, now: number, language: LanguageCode): string {
  return dayAndTime(formatDayInWords(at, now, language), at, language)
}

/** How long something has lasted: `ساعتان`, `12 minutes`. Inside a sentence it is `durationText`. */
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

/** `2027-05-19` */
export const dayInRiyadh = (at: Moment): string => riyadhTimeOf(new Date(at).getTime()).slice(0, 10)

const dayMs = 24 * 3_600_000

interface DayParts {
  readonly day: string | undefined
  readonly month: string | undefined
  readonly year: string | undefined
}

const dayMonthYear = { day: 'numeric', month: 'long', year: 'numeric' } as const

function partsOf(at: Moment, locale: string): DayParts {
  const parts = formatFor(locale, dayMonthYear).formatToParts(new Date(at))
  const partOf = (part: keyof DayParts) => parts.find(({ type }) => type === part)?.value
  return { day: partOf('day'), month: partOf('month'), year: partOf('year') }
}

const gregorian = (at: Moment, language: LanguageCode) => partsOf(at, languages[language].intl)

/** Undefined where the browser does not know that calendar. */
function ummAlQura(at: Moment, language: LanguageCode): DayParts | undefined {
  const locale = `${language}-u-ca-islamic-umalqura-nu-latn`
  const isKnown = formatFor(locale, dayMonthYear).resolvedOptions().calendar === 'islamic-umalqura'
  return isKnown ? partsOf(at, locale) : undefined
}

const dayAndMonth = ({ day, month }: DayParts) => onOneLine(`${day} ${month}`)

/** A dot begins no line. */
const betweenCalendars = '\u00a0· '

const dayAndTime = (day: string, at: Moment, language: LanguageCode) =>
  `${day}${language === 'ar' ? '،' : ','} ${formatTime(at, language)}`

const yearInRiyadh = (at: Moment) => dayInRiyadh(at).slice(0, 4)

/** The Gregorian year after its space; empty for a day of the present year. */
function otherYear(at: Moment): string {
  const year = yearInRiyadh(at)
  return year === yearInRiyadh(Date.now()) ? '' : onOneLine(` ${year}`)
}

/** In words in Arabic: a dash between digits would be read in the wrong direction. */
function fromTo(first: DayParts, last: DayParts, language: LanguageCode): string {
  if (dayAndMonth(first) === dayAndMonth(last)) return dayAndMonth(last)
  const isSameMonth = first.month === last.month
  const to = language === 'ar' ? '\u00a0إلى ' : isSameMonth ? '–\u2060' : '\u00a0– '
  return `${isSameMonth ? first.day : dayAndMonth(first)}${to}${dayAndMonth(last)}`
}
