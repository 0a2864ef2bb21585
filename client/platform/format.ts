import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { formatRiyals } from '#shared/platform/money.ts'
import { textNow } from './i18n.ts'

/** Times are shown in Saudi time: phones are often set to the home country's. */
const timeZone = 'Asia/Riyadh'

const dateTimeFormats = new Map<LanguageCode, Intl.DateTimeFormat>()

/** Made once per language: making one costs more than formatting with it. */
function dateTimeFormatOf(language: LanguageCode): Intl.DateTimeFormat {
  const known = dateTimeFormats.get(language)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(languages[language].intl, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  })
  dateTimeFormats.set(language, format)
  return format
}

/** Two decimals and the currency, with a no-break space: `50.00 ر.س`, `SAR 50.00`. */
export function formatMoney(halalas: number, language: LanguageCode): string {
  return textNow('platform:money', { lng: language, amount: formatRiyals(halalas) })
}

/** A sum of whole riyals that is no price: `75 ر.س`, `SAR 75`. */
export function formatWholeRiyals(riyals: number, language: LanguageCode): string {
  return textNow('platform:money', { lng: language, amount: riyals })
}

/** Date and time in Riyadh, Gregorian calendar, Latin digits. `iso`: ISO 8601. */
export function formatDateTime(iso: string, language: LanguageCode): string {
  return dateTimeFormatOf(language).format(new Date(iso))
}

/** Day and month in Riyadh, for dates of this season: `18 مايو`. `iso`: ISO 8601. */
export function formatDay(iso: string, language: LanguageCode): string {
  return new Intl.DateTimeFormat(languages[language].intl, {
    day: 'numeric',
    month: 'short',
    timeZone,
  }).format(new Date(iso))
}

/** The day of the week in Riyadh: `الجمعة`. `iso`: ISO 8601. */
export function formatWeekday(iso: string, language: LanguageCode): string {
  return new Intl.DateTimeFormat(languages[language].intl, { weekday: 'long', timeZone }).format(
    new Date(iso),
  )
}

/** The time of day in Riyadh. `iso`: ISO 8601. */
export function formatTime(iso: string, language: LanguageCode): string {
  return new Intl.DateTimeFormat(languages[language].intl, { timeStyle: 'short', timeZone }).format(
    new Date(iso),
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

/** `tel:` takes digits and a plus only; the partner writes phones with spaces, dashes and brackets. */
export function telHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`
}
