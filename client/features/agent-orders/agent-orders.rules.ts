import { orderNumber } from '#client/platform/order-number.ts'
import { foldForSearch, matchesSearch } from '#client/platform/search.ts'
import { type Order, type OrderStatus, orderStatuses } from '#shared/orders/orders.schemas.ts'

/** By the customer's name or phone, the airway bill, or the order number with or without its `OD-`. */
export function findOrders(orders: readonly Order[], query: string): readonly Order[] {
  if (foldForSearch(query) === '') return orders
  return orders.filter((order) =>
    matchesSearch(query, [
      orderNumber(order.orderId),
      order.user?.name,
      order.user?.phone,
      ...order.bookings.map((booking) => booking.awb),
    ]),
  )
}

/** One letter matches nearly everything: it is not yet a reason to load what is not on screen. */
export function isWorthLoadingOlder(query: string): boolean {
  return foldForSearch(query).length >= 2
}

/** PAID is green, everything else yellow (spec §4). */
export function toneOf(status: string): 'good' | 'waiting' {
  return status === 'PAID' ? 'good' : 'waiting'
}

/** `undefined` for a status of a newer server: it is then shown as it came. */
export function knownStatus(status: string): OrderStatus | undefined {
  return orderStatuses.find((known) => known === status)
}
