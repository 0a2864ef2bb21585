import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { foldDigits, phoneLength } from '#shared/platform/phone.ts'

export function canonicalPhone(typed: string, countries?: readonly string[]): string | undefined {
  const read = readPhone(typed, countries)
  return 'phone' in read ? read.phone : undefined
}

/**
 * `no-codes`: the phone is not mobile, belongs to no country, or its country is not allowed. A phone without a country
 * code is Saudi. Extensions, parameters and lists are refused, because limits and rows need one form per phone.
 */
export function readPhone(
  typed: string,
  countries?: readonly string[],
): { readonly phone: string } | { readonly refusal: 'invalid' | 'no-codes' } {
  const invalid = { refusal: 'invalid' } as const
  // Counts characters as the schema does: a digit of some scripts has two UTF-16 units.
  if ([...typed].length > phoneLength.max || hasControlCharacter(typed)) return invalid
  const folded = foldDigits(typed.replace(invisible, '')).trim()
  // The phone parser would silently drop or apply parameters of RFC 3966 (`;ext=`, `;isub=`, `;phone-context=`).
  if (folded.includes(';')) return invalid
  const parsed = parsePhoneNumberFromString(folded, { defaultCountry: 'SA' as CountryCode, extract: false })
  if (!parsed?.isValid() || parsed.ext) return invalid
  // Some countries use the same phone numbers for fixed and mobile lines.
  const type = parsed.getType()
  const isMobile = type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE'
  // Satellite and premium numbers (+870, +881, +882, +883, +979) belong to no country and are expensive to send to.
  const isAllowed = parsed.country && (!countries || countries.includes(parsed.country))
  return isMobile && isAllowed ? { phone: parsed.number } : { refusal: 'no-codes' }
}

const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

export interface PhoneGroups {
  /** The phone without its last four digits. */
  readonly prefix: string
  /** ISO code of the phone's country, or the calling code when it belongs to no country. */
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
