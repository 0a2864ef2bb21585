import { foldDigits } from '#shared/platform/phone.ts'

/** The partner's airway bills have 12 digits (docs/wires/shipping.md): any other number in view is another barcode. */
export const awbLength = 12

const wholeAwb = new RegExp(`^\\d{${awbLength}}$`)

/** Some scanners add the kind of barcode in AIM's letters, such as `]C0`, or the stars of Code 39. */
const added = /^(?:\][A-Za-z]\d)?\*?|\*$/g

/** Reads the text of a scanner. @returns undefined unless it is an airway bill number. */
export function awbOf(text: string): string | undefined {
  const bare = text.replace(added, '')
  return wholeAwb.test(bare) ? bare : undefined
}

/** Reads a number in a field: digits of any script, with spaces or dashes, typed by a person or a scanner. */
export function typedAwbOf(text: string): string | undefined {
  return awbOf(foldDigits(text).replace(/[\s-]/g, ''))
}
