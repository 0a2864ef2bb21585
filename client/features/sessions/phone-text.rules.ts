import { foldDigits, phoneLength } from '#shared/platform/phone.ts'

/** E.164 numbers have at most 15 digits (spec §2: the field takes no more). */
export const maxPhoneDigits = 15

/** `00` is the international call prefix and means the same as `+`. It is not part of the number. */
export const internationalPrefix = /^\s*(\+|00)/

/** The text the field shows: Latin digits, no letters, at most 15 digits. Spaces stay as typed. */
export function cleanTypedPhone(text: string): string {
  const kept = foldDigits(text).replace(/[^\d+\s().-]/g, '')
  const prefix = internationalPrefix.exec(kept)?.[0] ?? ''
  let digits = 0
  let rest = ''
  for (const character of kept.slice(prefix.length)) {
    if (/\d/.test(character) && ++digits > maxPhoneDigits) break
    if (character !== '+') rest += character
  }
  return prefix + rest
}

/** Spec §5: at least 10 characters. The server decides whether the number is valid. */
export function isPhoneLongEnough(phone: string): boolean {
  return phone.length >= phoneLength.min
}
