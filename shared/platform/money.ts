import type { LanguageCode } from './language.ts'

/** Amounts are integers of halalas (1 SAR = 100 halalas). Riyals with decimals exist only in input and output. */
export const currency = 'SAR'

/** @returns undefined when the amount has more than two decimals or is too large */
export function halalasOf(riyals: number): number | undefined {
  const halalas = Math.round(riyals * 100)
  return Number.isSafeInteger(halalas) && halalas / 100 === riyals ? halalas : undefined
}

export function riyalsOf(halalas: number): number {
  return halalas / 100
}

/** Writes an amount as `50.00` (spec §9). */
export function formatRiyals(halalas: number): string {
  return (halalas / 100).toFixed(2)
}

const sumOf: Readonly<Record<LanguageCode, (amount: string, of: string) => string>> = {
  ar: (amount, of) => `${amount} ${of === currency ? 'ر.س' : of}`,
  en: (amount, of) => `${of} ${amount}`,
}

export const sumIn = (language: LanguageCode, halalas: number, of: string = currency): string =>
  sumOf[language](formatRiyals(halalas), of)
