/** Begins order numbers and the merchant references of payments. */
export const orderNumberPrefix = 'OD'

/** An order number as it is shown and written (spec §3): `OD-12`. */
export function orderNumber(orderId: number | string): string {
  return `${orderNumberPrefix}-${orderId}`
}
