import { foldDigits } from '#shared/platform/phone.ts'

export const orderNumberPrefix = 'OD'

/** The displayed order number (spec §3): `OD-12`. */
export function orderNumber(orderId: number | string): string {
  return `${orderNumberPrefix}-${orderId}`
}

const typedNumber = new RegExp(`^(?:(${orderNumberPrefix})[\\s-]*)?([1-9]\\d{0,14})$`, 'i')

/**
 * The order of a typed number, in digits of any script. `isCertain`: it has the prefix, so it is no other number.
 */
export function readOrderNumber(
  typed: string,
): { readonly id: number; readonly isCertain: boolean } | undefined {
  const [, prefix, digits] = typedNumber.exec(foldDigits(typed).trim()) ?? []
  return digits === undefined ? undefined : { id: Number(digits), isCertain: prefix !== undefined }
}
