/** International form as stored and compared: `+` and 8 to 15 digits (E.164). */
export const e164Pattern = /^\+[1-9]\d{7,14}$/

/** Shortest and longest accepted spelling of a phone (spec §5: at least 10 characters). */
export const phoneLength = { min: 10, max: 32 } as const

/**
 * Turns Arabic-Indic (٠–٩), Persian (۰–۹) and full-width digits into 0–9 and drops the invisible
 * direction marks that come along when a number is copied out of Arabic text.
 */
export function foldDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g, '')
}
