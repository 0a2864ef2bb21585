import { statusMeanings } from '#shared/orders/orders.rules.ts'
import { type Order, type OrderStatus, orderStatuses } from '#shared/orders/orders.schemas.ts'

/** Yellow for a status of a newer server. */
export function toneOf(status: string): 'good' | 'waiting' {
  const known = knownStatus(status)
  return known ? statusMeanings[known].tone : 'waiting'
}

/** The key of a status's text: one of a newer server is shown as being reviewed, never as its code. */
export function shownStatus(status: string): OrderStatus | 'other' {
  return knownStatus(status) ?? 'other'
}

/** `undefined` for a status of a newer server. */
export function knownStatus(status: string): OrderStatus | undefined {
  return orderStatuses.find((known) => known === status)
}

/** True when the whole order was refunded: its airway bill is void, and agents must not accept the bag. */
export function isWithdrawn(status: string): boolean {
  const known = knownStatus(status)
  return known !== undefined && statusMeanings[known].isWithdrawn
}

/** True while the order changes without user action: an airway bill or its file is awaited, or a refund is pending. */
export function isMoving({ status, bookings, refund }: Order): boolean {
  const isIncomplete = bookings.some(({ awb, labelPending }) => awb === null || labelPending === true)
  return (status === 'PAID' && isIncomplete) || refund?.state === 'pending'
}

/** The text key for a missing airway bill. */
export function missingAwb(status: string): 'PAID' | 'PENDING_PAYMENT' | 'other' {
  return status === 'PAID' || status === 'PENDING_PAYMENT' ? status : 'other'
}
