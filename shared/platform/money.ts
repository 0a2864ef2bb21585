import type { LanguageCode } from './language.ts'

/** Amounts are integers of halalas (1 SAR = 100 halalas). Riyals with decimals exist only in input and output. */
export const currency = 'SAR'

/** Converts riyals such as 50 or 50.25. @returns undefined for more than two decimals or too large a number */
export function halalasOf(riyals: number): number | undefined {
  const halalas = Math.round(riyals * 100)
  return Number.isSafeInteger(halalas) && halalas / 100 === riyals ? halalas : undefined
}

export function riyalsOf(halalas: number): number {
  return halalas / 100
}

/** Writes riyals with two decimals and Latin digits, without a currency: `50.00` (spec §9). */
export function formatRiyals(halalas: number): string {
  return (halalas / 100).toFixed(2)
}

const sumOf: Readonly<Record<LanguageCode, (amount: string, of: string) => string>> = {
  ar: (amount, of) => `${amount} ${of === currency ? 'ر.س' : of}`,
  en: (amount, of) => `${of} ${amount}`,
}

/** Writes a sum with its currency, which may not be SAR: `50.00 ر.س`, `USD 1.00`. */
export const sumIn = (language: LanguageCode, halalas: number, of: string = currency): string =>
  sumOf[language](formatRiyals(halalas), of)
