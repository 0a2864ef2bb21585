export const personNameMaxLength = 80

/** The shipping partner refuses a shorter name (docs/wires/shipping.md S10), so the label pads it. */
export const labelNameMinLength = 5

export function isShortForLabel(name: string): boolean {
  return name.replace(/\s+/g, ' ').trim().length < labelNameMinLength
}

export type PersonNameFault = 'NAME_REQUIRED' | 'NAME_INVALID' | 'NAME_TOO_LONG'

/**
 * Tatweel (U+0640) only lengthens adjacent letters, so tatweel alone is no name. Names that were stored before a change
 * of these rules are not changed.
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

export function isNameTooLong(typed: string): boolean {
  const read = readPersonName(typed)
  return 'fault' in read && read.fault === 'NAME_TOO_LONG'
}

/** ZWNJ and ZWJ do not match, because Persian, Urdu and other languages need them. */
const hidden = /(?!\u200c|\u200d|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** A name with one of these characters is refused: no font has them, and removing one could lose a letter. */
const withoutSign = /[\p{Co}\p{Cn}\p{Cs}]/u

/** The fillers of Hangul count as letters, but draw nothing. */
const visibleLetter = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u
