/** Characters of a stored name. */
export const personNameMaxLength = 80

/** The shipping partner takes no shorter name (docs/wires/shipping.md S10): on its label, and there only, it is filled up. */
export const labelNameMinLength = 5

export function isShortForLabel(name: string): boolean {
  return name.replace(/\s+/g, ' ').trim().length < labelNameMinLength
}

export type PersonNameFault = 'NAME_REQUIRED' | 'NAME_INVALID' | 'NAME_TOO_LONG'

/**
 * A name as it is stored, shown and printed: NFC, without hidden characters and without outer and doubled white space. Tatweel
 * (U+0640) only lengthens adjacent letters: alone it is no name. Used by sign-up, correction and the forms; names stored
 * earlier stay as they are.
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

/** True for a name of which a field says at once that it is too long, since it cuts nothing. */
export function isNameTooLong(typed: string): boolean {
  const read = readPersonName(typed)
  return 'fault' in read && read.fault === 'NAME_TOO_LONG'
}

/**
 * Format characters, such as the marks of direction that come along when Arabic text is copied: nobody who types sees them. ZWNJ
 * and ZWJ belong to the spelling of Persian, Urdu and others, and stay.
 */
const hidden = /(?!\u200c|\u200d|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Private, unassigned and lone surrogate characters: no font has them, and a letter of a name could be lost. */
const withoutSign = /[\p{Co}\p{Cn}\p{Cs}]/u

/** The fillers of Hangul are letters that draw nothing. */
const visibleLetter = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u
