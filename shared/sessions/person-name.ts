export const personNameMaxLength = 80

/**
 * The shipping partner accepts no shorter name (docs/wires/shipping.md S10), so a shorter name is padded, only on the
 * label.
 */
export const labelNameMinLength = 5

export function isShortForLabel(name: string): boolean {
  return name.replace(/\s+/g, ' ').trim().length < labelNameMinLength
}

export type PersonNameFault = 'NAME_REQUIRED' | 'NAME_INVALID' | 'NAME_TOO_LONG'

/**
 * Returns the name for storage, display and print: NFC, without hidden characters and extra white space. Tatweel
 * (U+0640) only lengthens adjacent letters, so tatweel alone is no name. Names that were stored earlier stay unchanged.
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

/** A field shows this fault at once, because it does not cut a long name. */
export function isNameTooLong(typed: string): boolean {
  const read = readPersonName(typed)
  return 'fault' in read && read.fault === 'NAME_TOO_LONG'
}

/**
 * Matches hidden characters, such as direction marks that are copied with Arabic text. ZWNJ and ZWJ do not match,
 * because they belong to the spelling of Persian, Urdu and others.
 */
const hidden = /(?!\u200c|\u200d|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** A name with such a character is refused: no font has the character, and removing it could lose a letter. */
const withoutSign = /[\p{Co}\p{Cn}\p{Cs}]/u

/** Matches a visible letter; the fillers of Hangul are letters that draw nothing. */
const visibleLetter = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u
