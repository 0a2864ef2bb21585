/** An order as people say and write it (spec §3). */
export function orderNumber(orderId: number | string): string {
  return `OD-${orderId}`
}
