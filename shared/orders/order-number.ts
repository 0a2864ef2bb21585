import { foldDigits } from '#shared/platform/phone.ts'

export const orderNumberPrefix = 'OD'

/** Order numbers are shown as `OD-12` (spec §3). */
export function orderNumber(orderId: number | string): string {
  return `${orderNumberPrefix}-${orderId}`
}

const typedNumber = new RegExp(`^(?:(${orderNumberPrefix})[\\s-]*)?([1-9]\\d{0,14})$`, 'i')

export function readOrderNumber(
  typed: string,
): { readonly id: number; readonly isCertain: boolean } | undefined {
  const [, prefix, digits] = typedNumber.exec(foldDigits(typed).trim()) ?? []
  return digits === undefined ? undefined : { id: Number(digits), isCertain: prefix !== undefined }
}
