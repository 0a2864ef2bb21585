export const e164Pattern = /^\+[1-9]\d{7,14}$/

/** Spec §5 requires at least 10 typed characters. */
export const phoneLength = { min: 10, max: 32 } as const

export const isPhone = (text: string): boolean =>
  /^(?:(?:\+|00)[1-9]\d{8,14}|05\d{8})$/.test(text.replace(/[\s().-]/g, ''))

/** Converts decimal digits of every script to 0–9, and removes the direction marks that are copied with Arabic text. */
export function foldDigits(text: string): string {
  return latinDigits(text.normalize('NFKC')).replace(
    /[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g,
    '',
  )
}

/** Unicode has the digits 0 to 9 of a script in a row, and the digits of two scripts can follow each other directly. */
function latinDigit(digit: string) {
  const point = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1
  return String(before % 10)
}

export const latinDigits = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, latinDigit)
