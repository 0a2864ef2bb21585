import { type OrderStatus, orderStatuses } from '#shared/orders/orders.schemas.ts'

/** PAID is green, everything else yellow (spec §4). */
export function toneOf(status: string): 'good' | 'waiting' {
  return status === 'PAID' ? 'good' : 'waiting'
}

/** `undefined` for a status of a newer server: it is then shown as it came. */
export function knownStatus(status: string): OrderStatus | undefined {
  return orderStatuses.find((known) => known === status)
}

/** What stands in the place of an airway bill that is not there. */
export function missingAwb(status: string): 'PAID' | 'PENDING_PAYMENT' | 'other' {
  return status === 'PAID' || status === 'PENDING_PAYMENT' ? status : 'other'
}
