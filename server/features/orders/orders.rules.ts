import { legsOf, statusMeanings } from '#shared/orders/orders.rules.ts'
import {
  type BookingState,
  type BookingType,
  type Location,
  type OrderRefund,
  type OrderStatus,
  orderStatuses,
} from '#shared/orders/orders.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { riyalsOf } from '#shared/platform/money.ts'

/** Statuses in which a successful payment marks the order as paid. */
export const payableStatuses: readonly OrderStatus[] = orderStatuses.filter(
  (status) => statusMeanings[status].acceptsSuccess,
)

/** States in which the shipment worker has something to do: the booking is due at some time. */
export type OpenBookingState = Extract<BookingState, 'waiting' | 'labelling'>

/** Bookings at the partner at a time, of all gateways: at 2 s a call this carries twice the peak of 5.4 orders/s. */
export const bookingsAtOnce = 20

/**
 * `refused`: by us, because the order was not paid, or cancelled or refunded before. `not-accepted`: by the agent, and
 * recorded as that.
 */
export const handoverOutcomes = ['received', 'already-received', 'refused', 'not-accepted'] as const
export type HandoverOutcome = (typeof handoverOutcomes)[number]

/** Where a bag starts and ends. */
export interface Leg {
  readonly origin: Location
  readonly destination: Location
}

/** Of a booking, whose row holds both as JSON. */
export const legOf = (row: { readonly origin: string; readonly destination: string }): Leg => ({
  origin: JSON.parse(row.origin),
  destination: JSON.parse(row.destination),
})

/** True for a leg whose bag is handed out at the branch; the others end at the agent's. */
export function endsAtBranch(type: BookingType, leg: number): boolean {
  return legsOf(type)[leg]?.to === 'center'
}

/** The legs of a route with a copy of their locations, which later changes of the partner's lists do not affect. */
export function legLocationsOf(type: BookingType, agent: PartnerAgent, center: Center): Leg[] {
  const locations: Record<'agent' | 'center', Location> = {
    agent: {
      name: agent.name,
      address: agent.address,
      city: agent.city,
      phone: agent.phone,
      coordinates: agent.coordinates,
    },
    center: {
      addressAR: center.addressAR,
      addressEN: center.addressEN,
      city: center.city,
      coordinates: center.coordinates,
    },
  }
  return legsOf(type).map(({ from, to }) => ({ origin: locations[from], destination: locations[to] }))
}

/**
 * The refund as shown to the order's owner, of a cancelled order also one that was written off. One that is not done comes first. A refunded order without a refund
 * of ours was refunded at the provider by hand: in full, because a partial refund leaves it paid.
 */
export function refundOf(
  order: {
    readonly status: OrderStatus
    readonly amount_halalas: number
    readonly cancelled_at: number | null
  },
  known: OrderRefund | undefined,
  writtenOff?: OrderRefund,
): OrderRefund | undefined {
  // A cancellation promised this money.
  if (order.status === 'CANCELLED' && writtenOff && (!known || known.state === 'done')) return writtenOff
  if (order.status !== 'REFUNDED' || (known && known.state !== 'done')) return known
  return {
    state: 'done',
    amount: riyalsOf(order.amount_halalas),
    reason: order.cancelled_at === null ? 'operator' : 'cancelled',
  }
}
