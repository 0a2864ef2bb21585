import { foldDigits } from '#shared/platform/phone.ts'

/** The partner's airway bills have 12 digits (docs/wires/shipping.md): anything else in view is another barcode. */
export const awbLength = 12

const wholeAwb = new RegExp(`^\\d{${awbLength}}$`)

/** Some scanners put the kind of barcode before it in AIM's letters, as `]C0`, or the stars of Code 39 around it. */
const added = /^(?:\][A-Za-z]\d)?\*?|\*$/g

/** What a scanner read. @returns undefined unless it is an airway bill number. */
export function awbOf(text: string): string | undefined {
  const bare = text.replace(added, '')
  return wholeAwb.test(bare) ? bare : undefined
}

/** Reads a number in a field: in the digits of any script, with spaces or dashes, typed by a person or a scanner. */
export function typedAwbOf(text: string): string | undefined {
  return awbOf(foldDigits(text).replace(/[\s-]/g, ''))
}
