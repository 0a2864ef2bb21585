import { hiddenCharacters } from '#shared/platform/typed-text.ts'

export const personNameMaxLength = 80

/** The shipping partner takes no shorter name (docs/wires/shipping.md S10): on its label, and there only, it is filled up. */
export const labelNameMinLength = 5

export function isShortForLabel(name: string): boolean {
  return name.replace(/\s+/g, ' ').trim().length < labelNameMinLength
}

export type PersonNameFault = 'NAME_REQUIRED' | 'NAME_INVALID'

/**
 * A name as it is stored, shown and printed: NFC, without outer and doubled white space. Tatweel (U+0640) only lengthens
 * adjacent letters: alone it is no name. Used by sign-up, correction and the forms; names stored earlier stay as they are.
 */
export function readPersonName(typed: string): { name: string } | { fault: PersonNameFault } {
  const composed = typed.normalize('NFC')
  const name = composed.replace(/\s+/g, ' ').trim()
  if (/^[\s\u0640]*$/.test(name)) return { fault: 'NAME_REQUIRED' }
  const isPrintable = !hiddenCharacters.test(composed) && visibleLetter.test(name)
  return isPrintable && [...name].length <= personNameMaxLength ? { name } : { fault: 'NAME_INVALID' }
}

/** The fillers of Hangul are letters that draw nothing. */
const visibleLetter = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u
