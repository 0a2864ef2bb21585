import { isTravelling } from '#client/entities/order/journey.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'

/** True when a bag can be handed over: paid, every airway bill issued, and not all handed over. */
export function isReadyToShow({ status, bookings }: Pick<Order, 'status' | 'bookings'>): boolean {
  return (
    status === 'PAID' &&
    bookings.length > 0 &&
    bookings.every(({ awb }) => awb !== null) &&
    !bookings.every(isTravelling)
  )
}

/** True when nothing happens to the order any more. */
export function isPast({ status, refund }: Pick<Order, 'status' | 'refund'>): boolean {
  if (refund !== undefined && refund.state !== 'done') return false
  return status === 'EXPIRED' || status === 'REFUNDED' || status === 'CANCELLED'
}

/** The order whose action is the filled button: the newest that can be handed over, else the newest to pay. */
export function primaryOrder(orders: readonly Order[]): Order | undefined {
  return orders.find(isReadyToShow) ?? orders.find(({ payable }) => payable)
}
