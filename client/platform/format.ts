import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { formatRiyals } from '#shared/platform/money.ts'
import { i18n } from './i18n.ts'

/** Pilgrims' phones are often on home time; the luggage is in the Kingdom. */
const timeZone = 'Asia/Riyadh'

const dateTimeFormats = {
  ar: dateTimeFormatOf('ar'),
  en: dateTimeFormatOf('en'),
} as const satisfies Record<LanguageCode, Intl.DateTimeFormat>

function dateTimeFormatOf(language: LanguageCode): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(languages[language].intl, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  })
}

/** Two decimals and the currency as it is said: `50.00 ر.س`, `SAR 50.00`. The space does not break. */
export function formatMoney(halalas: number, language: LanguageCode): string {
  return i18n.t('money', { ns: 'platform', lng: language, amount: formatRiyals(halalas) })
}

/** Date and time in the Kingdom, Gregorian, Latin digits. `iso` is ISO 8601. */
export function formatDateTime(iso: string, language: LanguageCode): string {
  return dateTimeFormats[language].format(new Date(iso))
}
