import { isTravelling, knownState } from '#client/entities/order/journey.rules.ts'
import { isWithdrawn } from '#client/entities/order/order-card.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { travelStates } from '#shared/orders/travel.schemas.ts'
import type { ThreadState } from './thread-picture.tsx'

/** True when every airway bill of a paid order has been issued. */
export function isReady({ bookings }: Pick<Order, 'bookings'>): boolean {
  return bookings.every(({ awb }) => awb !== null)
}

/** What the claim says of bags that were all handed over: the state of the one that is furthest behind. */
export function journeyOf({ bookings }: Pick<Order, 'bookings'>): ReturnType<typeof knownState> | undefined {
  if (!bookings.every(isTravelling)) return undefined
  const behind = bookings.toSorted(
    (a, b) => travelStates.indexOf(a.state ?? 'READY') - travelStates.indexOf(b.state ?? 'READY'),
  )
  return behind[0]?.state ? knownState(behind[0].state) : undefined
}

/** True when no bag travels on the order any more, and none will. */
export function isVoid({ status, refund, payable }: Pick<Order, 'status' | 'refund' | 'payable'>): boolean {
  return (
    status === 'EXPIRED' || isWithdrawn(status) || (refund !== undefined && status !== 'PAID' && !payable)
  )
}

/** The thread of an order that is not paid. */
export function threadOf({ status, refund }: Pick<Order, 'status' | 'refund'>): ThreadState {
  if (refund !== undefined || status === 'REFUNDED') return 'refunded'
  return status === 'EXPIRED' || status === 'CANCELLED' ? 'expired' : 'pending'
}
