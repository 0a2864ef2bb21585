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
