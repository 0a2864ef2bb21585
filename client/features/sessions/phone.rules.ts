import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { foldDigits, phoneLength } from '#shared/platform/phone.ts'

/** E.164 numbers have at most 15 digits (spec §2: the field takes no more). */
export const maxPhoneDigits = 15

/** `00` dials out of a country, so a person means the same by it as by `+`. It is no part of the number. */
const internationalPrefix = /^\s*(\+|00)/

/** What the field shows of what was typed or pasted: Latin digits, no letters, at most 15 digits. Spaces stay as typed. */
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

export interface ComposedPhone {
  /** `+` and digits; just what was typed, made one number. Empty when no digit was typed. */
  readonly phone: string
  /** The country the number itself names, where it was typed with its country code. */
  readonly country: CountryCode | undefined
}

/**
 * Makes one international number of the picked country and the typed text. A full number wins over the picked
 * country; a trunk 0 is dropped where the country's numbers are written with one.
 */
export function composePhone(country: CountryCode, typed: string): ComposedPhone {
  const text = cleanTypedPhone(typed)
  const prefix = internationalPrefix.exec(text)?.[0]
  const digits = text.slice(prefix?.length ?? 0).replace(/\D/g, '')
  if (digits === '') return { phone: '', country: undefined }
  if (prefix !== undefined) return internationalOf(digits)

  // The parser also drops a country code typed without a plus, where the digits make no national number.
  const parsed = parsePhoneNumberFromString(digits, country)
  const phone = parsed?.number ?? `+${getCountryCallingCode(country)}${digits.replace(/^0+/, '')}`
  return { phone: phone.slice(0, maxPhoneDigits + 1), country: undefined }
}

function internationalOf(digits: string): ComposedPhone {
  // `+966 050…`: people leave the trunk 0 in; the parser knows for which countries it must go.
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  return { phone: parsed?.number ?? `+${digits}`, country: parsed?.country }
}

/** Spec §5: not empty, at least 10 characters. Whether the number exists is for the server to say. */
export function isPhoneLongEnough(phone: string): boolean {
  return phone.length >= phoneLength.min
}
