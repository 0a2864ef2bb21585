import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { foldDigits, phoneLength } from '#shared/platform/phone.ts'

/**
 * One number, one spelling: E.164 for any way of writing a mobile number, `undefined` for what is none.
 * A number without a country code is read as Saudi. Extensions and lists are refused, because two spellings
 * of one number must never look like two people to a limiter or a row.
 * `countries`: ISO codes that are let in; all when undefined.
 */
export function canonicalPhone(typed: string, countries?: readonly string[]): string | undefined {
  if (typed.length > phoneLength.max || hasControlCharacter(typed)) return undefined
  const folded = foldDigits(typed.replace(invisible, '')).trim()
  const parsed = parsePhoneNumberFromString(folded, { defaultCountry: 'SA' as CountryCode, extract: false })
  if (!parsed?.isValid() || parsed.ext) return undefined
  // Some countries do not tell mobile from fixed numbers apart; a fixed line cannot receive a code.
  const type = parsed.getType()
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return undefined
  if (countries && !(parsed.country && countries.includes(parsed.country))) return undefined
  return parsed.number
}

/**
 * What comes along when a number is copied out of running text and cannot be seen: direction marks, embeddings,
 * isolates, zero-width characters and soft hyphens.
 */
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

export interface PhoneGroups {
  /** The number without its last four digits: the ten thousand numbers around it. */
  readonly prefix: string
  /** ISO code, or the calling code where that names no country. */
  readonly country: string
}

/** What a canonical phone has in common with its neighbours. */
export function phoneGroups(phone: string): PhoneGroups {
  const parsed = parsePhoneNumberFromString(phone, { extract: false })
  return {
    prefix: phone.slice(0, -4),
    country: parsed?.country ?? `+${parsed?.countryCallingCode ?? ''}`,
  }
}

/** Also the line ends that `trim` would quietly drop. */
function hasControlCharacter(text: string): boolean {
  return Array.from(text).some(
    (character) => character < ' ' || /[\u007F-\u009F\u2028\u2029]/.test(character),
  )
}
