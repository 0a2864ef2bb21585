import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { foldDigits, phoneLength } from '#shared/platform/phone.ts'

/** @param typed a mobile number in any spelling @param countries allowed ISO codes; undefined allows all */
export function canonicalPhone(typed: string, countries?: readonly string[]): string | undefined {
  const read = readPhone(typed, countries)
  return 'phone' in read ? read.phone : undefined
}

/**
 * `invalid`: no number. `no-codes`: a fixed line, a premium, satellite or other number without a country, or one of a
 * country that is not allowed. A number without a country code is Saudi. Extensions, parameters and lists are refused,
 * because limits and rows need one form per number.
 */
export function readPhone(
  typed: string,
  countries?: readonly string[],
): { readonly phone: string } | { readonly refusal: 'invalid' | 'no-codes' } {
  const invalid = { refusal: 'invalid' } as const
  // Characters are counted like in the schema: the digits of some scripts are two units each.
  if ([...typed].length > phoneLength.max || hasControlCharacter(typed)) return invalid
  const folded = foldDigits(typed.replace(invisible, '')).trim()
  // RFC 3966 parameters (`;ext=`, `;isub=`, `;phone-context=`), which the parser drops or obeys silently.
  if (folded.includes(';')) return invalid
  const parsed = parsePhoneNumberFromString(folded, { defaultCountry: 'SA' as CountryCode, extract: false })
  if (!parsed?.isValid() || parsed.ext) return invalid
  // Some countries do not distinguish fixed from mobile numbers.
  const type = parsed.getType()
  const isMobile = type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE'
  // Satellite and premium numbers (+870, +881, +882, +883, +979) belong to no country and are expensive to send to.
  const isAllowed = parsed.country && (!countries || countries.includes(parsed.country))
  return isMobile && isAllowed ? { phone: parsed.number } : { refusal: 'no-codes' }
}

const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

export interface PhoneGroups {
  /** Ten thousand numbers differ in the last four digits only. */
  readonly prefix: string
  /** ISO code, or the calling code if it belongs to no country. */
  readonly country: string
}

export function phoneGroups(phone: string): PhoneGroups {
  const parsed = parsePhoneNumberFromString(phone, { extract: false })
  return {
    prefix: phone.slice(0, -4),
    country: parsed?.country ?? `+${parsed?.countryCallingCode ?? ''}`,
  }
}

function hasControlCharacter(text: string) {
  return Array.from(text).some(
    (character) => character < ' ' || /[\u007F-\u009F\u2028\u2029]/.test(character),
  )
}
