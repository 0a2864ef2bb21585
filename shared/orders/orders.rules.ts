import type { BookingType, OrderEnd, OrderPayment, OrderStatus } from './orders.schemas.ts'

export function statusOf({
  payment,
  ended,
}: {
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
}): OrderStatus {
  if (payment === 'returned') return 'REFUNDED'
  if (ended === 'cancelled') return 'CANCELLED'
  if (payment === 'paid') return 'PAID'
  return ended === 'expired' ? 'EXPIRED' : 'PENDING_PAYMENT'
}

export const endedAt = (
  order: { readonly ended: OrderEnd | null; readonly ended_at: number | null },
  end: OrderEnd,
): number | null => (order.ended === end ? order.ended_at : null)

/** The payment page polls its order, because the card form does not always report the end of a payment. */
export const paymentPollMs = 4_000

export type LegEnd = 'agent' | 'center'

export interface Leg {
  readonly from: LegEnd
  readonly to: LegEnd
}

const toMina: Leg = { from: 'center', to: 'agent' }
const fromMina: Leg = { from: 'agent', to: 'center' }

const legs = {
  TO_MINA: [toMina],
  FROM_MINA: [fromMina],
  TO_AND_FROM_MINA: [toMina, fromMina],
} as const satisfies Record<BookingType, readonly Leg[]>

export function legsOf(type: BookingType): readonly Leg[] {
  return legs[type]
}
