/** A phone is stored as `+` and 8 to 15 digits (E.164). */
export const e164Pattern = /^\+[1-9]\d{7,14}$/

/** A typed phone has this many characters (spec §5: at least 10). */
export const phoneLength = { min: 10, max: 32 } as const

/**
 * True for a typed phone with a country code, or a Saudi mobile number. Only the server knows whether the number
 * exists.
 */
export const isPhone = (text: string): boolean =>
  /^(?:(?:\+|00)[1-9]\d{8,14}|05\d{8})$/.test(text.replace(/[\s().-]/g, ''))

/** Converts decimal digits of every script to 0–9 and removes direction marks, which are copied with Arabic text. */
export function foldDigits(text: string): string {
  return latinDigits(text.normalize('NFKC')).replace(
    /[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g,
    '',
  )
}

/**
 * In Unicode the ten digits of a script are consecutive, from zero to nine. Another ten digits may directly precede
 * them.
 */
function latinDigit(digit: string) {
  const point = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1
  return String(before % 10)
}

export const latinDigits = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, latinDigit)
