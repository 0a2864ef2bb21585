export const personNameMaxLength = 80

/** The shipping partner takes no shorter name (docs/wires/shipping.md S10); only its label pads it. */
export const labelNameMinLength = 5

export function isShortForLabel(name: string): boolean {
  return name.replace(/\s+/g, ' ').trim().length < labelNameMinLength
}

export type PersonNameFault = 'NAME_REQUIRED' | 'NAME_INVALID' | 'NAME_TOO_LONG'

/**
 * The name for storage, display and print is NFC, without hidden characters and extra white space. Tatweel (U+0640)
 * only lengthens adjacent letters, so it alone is no name. Names stored earlier stay as they are.
 */
export function readPersonName(typed: string): { name: string } | { fault: PersonNameFault } {
  const name = typed
    .replace(hidden, '')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .normalize('NFC')
    .trim()
  if (/^[\s\u0640]*$/.test(name)) return { fault: 'NAME_REQUIRED' }
  if (withoutSign.test(name) || !visibleLetter.test(name)) return { fault: 'NAME_INVALID' }
  return [...name].length > personNameMaxLength ? { fault: 'NAME_TOO_LONG' } : { name }
}

/** A field reports this at once, since it cuts nothing. */
export function isNameTooLong(typed: string): boolean {
  const read = readPersonName(typed)
  return 'fault' in read && read.fault === 'NAME_TOO_LONG'
}

/**
 * Direction marks are copied with Arabic text and invisible when typing. ZWNJ and ZWJ belong to the spelling of
 * Persian, Urdu and others, and stay.
 */
const hidden = /(?!\u200c|\u200d|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** No font has them, and a letter of a name could be lost. */
const withoutSign = /[\p{Co}\p{Cn}\p{Cs}]/u

/** The fillers of Hangul are letters that draw nothing. */
const visibleLetter = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u
