import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { formatRiyals } from '#shared/platform/money.ts'
import { i18n } from './i18n.ts'

/** Times are shown in Saudi time: phones are often set to the home country's. */
const timeZone = 'Asia/Riyadh'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Made once for each: making one costs more than formatting with it. */
function formatFor(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
  formats.set(key, format)
  return format
}

/** Two decimals and the currency, with a no-break space: `50.00 ر.س`, `SAR 50.00`. */
export function formatMoney(halalas: number, language: LanguageCode): string {
  return i18n.t('money', { ns: 'platform', lng: language, amount: formatRiyals(halalas) })
}

/** Date and time in Riyadh, Gregorian calendar, Latin digits. `iso`: ISO 8601. */
export function formatDateTime(iso: string, language: LanguageCode): string {
  return formatFor(languages[language].intl, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(iso))
}

/** Day and month in Riyadh, for dates of this season: `18 مايو`. `iso`: ISO 8601. */
export function formatDay(iso: string, language: LanguageCode): string {
  return formatFor(languages[language].intl, { day: 'numeric', month: 'short' }).format(new Date(iso))
}

/** The day of the week in Riyadh: `الجمعة`. `iso`: ISO 8601. */
export function formatWeekday(iso: string, language: LanguageCode): string {
  return formatFor(languages[language].intl, { weekday: 'long' }).format(new Date(iso))
}

/** The time of day in Riyadh. `iso`: ISO 8601. */
export function formatTime(iso: string, language: LanguageCode): string {
  return formatFor(languages[language].intl, { timeStyle: 'short' }).format(new Date(iso))
}

/** The time of day in Riyadh by the 24-hour clock, as on a label: `16:20`. `iso`: ISO 8601. */
export function formatHour(iso: string): string {
  return formatFor('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(iso))
}

const ummAlQuraOf = (language: LanguageCode) => `${language}-u-ca-islamic-umalqura-nu-latn`

/** A part of the Umm al-Qura date in Riyadh; undefined where the browser does not know that calendar. */
function ummAlQura(iso: string, language: LanguageCode, part: 'day' | 'month' | 'year'): string | undefined {
  const format = formatFor(ummAlQuraOf(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  if (format.resolvedOptions().calendar !== 'islamic-umalqura') return undefined
  return format.formatToParts(new Date(iso)).find(({ type }) => type === part)?.value
}

/** The Hijri year in Riyadh, where it is known: `1448`. `iso`: ISO 8601. */
export function formatHijriYear(iso: string, language: LanguageCode): string | undefined {
  return ummAlQura(iso, language, 'year')
}

/** Day and month in Riyadh in both calendars, Umm al-Qura first: `12 ذو الحجة · 18 مايو`. `iso`: ISO 8601. */
export function formatBothDays(iso: string, language: LanguageCode): string {
  const hijri = [ummAlQura(iso, language, 'day'), ummAlQura(iso, language, 'month')]
  const gregorian = formatFor(languages[language].intl, { day: 'numeric', month: 'long' }).format(
    new Date(iso),
  )
  return hijri.includes(undefined) ? gregorian : `${hijri.join(' ')} · ${gregorian}`
}

/** Both days and the time of day in Riyadh: `12 ذو الحجة · 18 مايو، 16:20`. `iso`: ISO 8601. */
export function formatMoment(iso: string, language: LanguageCode): string {
  return `${formatBothDays(iso, language)}${language === 'ar' ? '،' : ','} ${formatHour(iso)}`
}

/** Days from one to the other by the calendar of Umm al-Qura, where it is known: `12 – 14 ذو الحجة`. ISO 8601. */
export function formatSpan(from: string, to: string, language: LanguageCode): string {
  return formatFor(ummAlQuraOf(language), { day: 'numeric', month: 'long' }).formatRange(
    new Date(from),
    new Date(to),
  )
}

/** A running clock, `4:32`. */
export function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** One decimal below ten kilometres: `1.2 كم`, `790 km`. */
export function formatDistance(km: number, language: LanguageCode): string {
  const digits = km < 9.95 ? 1 : 0
  return new Intl.NumberFormat(languages[language].intl, {
    style: 'unit',
    unit: 'kilometer',
    unitDisplay: 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(km)
}
