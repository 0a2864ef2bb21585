import { foldDigits } from '#shared/platform/phone.ts'

/** Begins order numbers and the merchant references of payments. */
export const orderNumberPrefix = 'OD'

/** An order number as it is shown and written (spec §3): `OD-12`. */
export function orderNumber(orderId: number | string): string {
  return `${orderNumberPrefix}-${orderId}`
}

const typedNumber = new RegExp(`^(?:(${orderNumberPrefix})[\\s-]*)?([1-9]\\d{0,14})$`, 'i')

/** The order of a number as it is typed, in the digits of any script. `isCertain`: with its prefix, so that it is no other number. */
export function readOrderNumber(
  typed: string,
): { readonly id: number; readonly isCertain: boolean } | undefined {
  const [, prefix, digits] = typedNumber.exec(foldDigits(typed).trim()) ?? []
  return digits === undefined ? undefined : { id: Number(digits), isCertain: prefix !== undefined }
}
