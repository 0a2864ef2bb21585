import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { formatRiyals } from '#shared/platform/money.ts'
import { textNow } from './i18n.ts'

/** Two decimals and the currency, with a no-break space: `50.00 ر.س`, `SAR 50.00`. */
export function formatMoney(halalas: number, language: LanguageCode): string {
  return textNow('platform:money', { lng: language, amount: formatRiyals(halalas) })
}

/** A sum of whole riyals that is no price: `75 ر.س`, `SAR 75`. */
export function formatWholeRiyals(riyals: number, language: LanguageCode): string {
  return textNow('platform:money', { lng: language, amount: riyals })
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

/** Whole kilometres, from one on: `14 كم`, `0.4 km`. */
export function formatRoughDistance(km: number, language: LanguageCode): string {
  return new Intl.NumberFormat(languages[language].intl, {
    style: 'unit',
    unit: 'kilometer',
    unitDisplay: 'short',
    maximumFractionDigits: km < 0.95 ? 1 : 0,
  }).format(km)
}

/** `tel:` takes digits and a plus only; the partner writes phones with spaces, dashes and brackets. */
export function telHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`
}
