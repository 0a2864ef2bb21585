import {
  type CountryCode,
  getCountryCallingCode as callingCodeOf,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core'
import { phoneMetadata } from './phone-metadata.ts'
import { cleanTypedPhone, internationalPrefix } from './phone-text.rules.ts'

/** A dial code without the plus: `966`. */
export const getCountryCallingCode = (country: CountryCode): string => callingCodeOf(country, phoneMetadata)

interface ComposedPhone {
  /** `+` and digits; empty when no digit was typed. */
  readonly phone: string
  /** The country of the number, when it was typed with a country code. */
  readonly country: CountryCode | undefined
}

/**
 * Composes an international number from the selected country and the typed text. A number typed with its country code overrides
 * the selected country. A trunk 0 is dropped where the country uses one. Digits beyond the limit are kept.
 */
export function composePhone(country: CountryCode, typed: string): ComposedPhone {
  const text = cleanTypedPhone(typed)
  const prefix = internationalPrefix.exec(text)?.[0]
  const digits = text.slice(prefix?.length ?? 0).replace(/\D/g, '')
  if (digits === '') return { phone: '', country: undefined }
  if (prefix !== undefined) return internationalOf(digits)

  // The parser also recognises a country code typed without a plus when the digits are no national number.
  const parsed = parsePhoneNumberFromString(digits, country, phoneMetadata)
  const phone = parsed?.number ?? `+${getCountryCallingCode(country)}${digits.replace(/^0+/, '')}`
  return { phone, country: undefined }
}

/**
 * A number that was typed with the code of a country, as this country and the digits after the code. `undefined` for any other
 * text, and for digits that would be read as another number without the code.
 */
export function withoutCode(
  typed: string,
): { readonly country: CountryCode; readonly text: string } | undefined {
  const { phone, country } = composePhone('SA', typed)
  if (country === undefined) return undefined
  const text = phone.slice(`+${getCountryCallingCode(country)}`.length)
  return composePhone(country, text).phone === phone ? { country, text } : undefined
}

function internationalOf(digits: string): ComposedPhone {
  // `+966 050…`: the parser drops a trunk 0 for the countries that use one.
  const parsed = parsePhoneNumberFromString(`+${digits}`, phoneMetadata)
  return { phone: parsed?.number ?? `+${digits}`, country: parsed?.country }
}
