import { orderStatuses } from '#shared/orders/orders.operations.ts'
import type { Booking, Order, OrderStatus } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'

/** Green for a paid order, yellow for others (spec §4). */
export function toneOf(status: string): 'good' | 'waiting' {
  return status === 'PAID' ? 'good' : 'waiting'
}

/** The key of a status's text: one of a newer server is shown as being reviewed, never as its code. */
export function shownStatus(status: string): OrderStatus | 'other' {
  return knownStatus(status) ?? 'other'
}

/** `undefined` for a status of a newer server. */
export function knownStatus(status: string): OrderStatus | undefined {
  return orderStatuses.find((known) => known === status)
}

/** True when the order was cancelled, or its money went back. */
export const isEnded = (status: string): boolean => status === 'REFUNDED' || status === 'CANCELLED'

/** True when every bag of the order is void: agents must not accept them. */
export const isOrderVoid = ({ bookings }: Pick<Order, 'bookings'>): boolean => !bookings.some(isValidBag)

/** False for a void bag: its money was ordered back before it was handed over. */
export const isValidBag = ({ state }: Pick<Booking, 'state'>): boolean => state !== 'CANCELLED'

/**
 * True when a bag of the order has a barcode that is needed: it was paid and is carried, or travels on although its money
 * went back.
 */
export const hasPass = ({ status, bookings }: Pick<Order, 'status' | 'bookings'>): boolean =>
  bookings.some((booking) => (status === 'PAID' ? isValidBag(booking) : isHandedOver(booking.state)))

/** True while the order changes without user action: an airway bill or its file is awaited, or a refund is pending. */
export function isChanging({ status, bookings, refund }: Order): boolean {
  const isIncomplete = bookings
    .filter(isValidBag)
    .some(({ awb, labelPending }) => awb === null || labelPending === true)
  return (status === 'PAID' && isIncomplete) || refund?.state === 'pending'
}

/** The text key for a missing airway bill. */
export function missingAwb(status: string, isVoid: boolean): 'PAID' | 'PENDING_PAYMENT' | 'other' {
  return !isVoid && (status === 'PAID' || status === 'PENDING_PAYMENT') ? status : 'other'
}
