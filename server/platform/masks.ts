import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { foldDigits } from '#shared/platform/phone.ts'

const hidden = '•••••'

/** Masks a name: only its first word and the first letter of the second remain («فاطمة أ…»). */
export function maskedName(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  return second === undefined ? first : `${first} ${[...second][0]}…`
}

/** Shows the last four digits, by which staff find a phone: `+966 ••••• 4678`. */
export function maskedPhone(phone: string): string {
  const code = parsePhoneNumberFromString(phone, { extract: false })?.countryCallingCode
  return `${code === undefined ? '' : `+${code} `}${hidden} ${phone.slice(-4)}`
}

export function maskedQuery(typed: string): string {
  return foldDigits(typed)
    .trim()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (/\d{4,}/.test(word) ? `${hidden}${word.slice(-4)}` : `${[...word][0] ?? ''}…`))
    .join(' ')
}
