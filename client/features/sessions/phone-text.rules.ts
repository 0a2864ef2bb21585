import { foldDigits, phoneLength } from '#shared/platform/phone.ts'

/** E.164 numbers have at most 15 digits, the country code included (spec §2). */
export const maxPhoneDigits = 15

/** `00` is the international call prefix and means the same as `+`. It is not part of the number. */
export const internationalPrefix = /^\s*(\+|00)/

/** The text the field shows: Latin digits, no letters. Spaces stay as typed, and so do digits that are too many. */
export function cleanTypedPhone(text: string): string {
  const kept = foldDigits(text).replace(/[^\d+\s().-]/g, '')
  const prefix = internationalPrefix.exec(kept)?.[0] ?? ''
  return prefix + kept.slice(prefix.length).replaceAll('+', '')
}

/** True when a number, or a typed text, has more digits than any phone number. */
export function isPhoneTooLong(phone: string): boolean {
  return phone.replace(internationalPrefix, '').replace(/\D/g, '').length > maxPhoneDigits
}

/** Spec §5: at least 10 characters, and at most 15 digits. The server decides whether the number is valid. */
export function phoneFault(phone: string): 'phone' | 'phoneTooLong' | undefined {
  if (phone.length < phoneLength.min) return 'phone'
  return isPhoneTooLong(phone) ? 'phoneTooLong' : undefined
}
