import { foldDigits } from '#shared/platform/phone.ts'

/** The partner's airway bills have 12 digits (docs/wires/shipping.md): anything else in view is another barcode. */
export const awbLength = 12

const wholeAwb = new RegExp(`^\\d{${awbLength}}$`)

/** What a scanner read. @returns undefined unless it is an airway bill number. */
export function awbOf(text: string): string | undefined {
  return wholeAwb.test(text) ? text : undefined
}

/** Reads a typed number: in the digits of any script, with spaces or dashes. */
export function typedAwbOf(text: string): string | undefined {
  return awbOf(foldDigits(text).replace(/[\s-]/g, ''))
}
