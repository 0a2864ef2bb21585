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
  const folded = foldDigits(typed).trim()
  const parsed = parsePhoneNumberFromString(folded, { defaultCountry: 'SA' as CountryCode, extract: false })
  if (!parsed?.isValid() || parsed.ext) return undefined
  // Some countries do not tell mobile from fixed numbers apart; a fixed line cannot receive a code.
  const type = parsed.getType()
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return undefined
  if (countries && !(parsed.country && countries.includes(parsed.country))) return undefined
  return parsed.number
}

function hasControlCharacter(text: string): boolean {
  return Array.from(text).some((character) => character < ' ' || character === '\u007f')
}
