import { legsOf, statusOf } from '#shared/orders/orders.rules.ts'
import type {
  BookingState,
  BookingType,
  Location,
  OrderEnd,
  OrderPayment,
  OrderRefund,
} from '#shared/orders/orders.schemas.ts'
import type { Carriage } from '#shared/orders/travel.rules.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

/** True when the order's status permits a payment. A refund may still block the payment. */
export const isPayable = (order: {
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
}): boolean => statusOf(order) === 'PENDING_PAYMENT'

/** In these states a booking is due now or later, because the shipment worker has something to do. */
export type OpenBookingState = Extract<BookingState, 'waiting' | 'labelling'>

/**
 * All gateways together work on at most this many bookings at once. At 2 s a call this is enough for twice the peak of
 * 5.4 orders/s.
 */
export const bookingsAtOnce = 20

/**
 * `refused`: we refused the bag, because its order was unpaid, cancelled or refunded. `not-accepted`: the agent refused
 * it.
 */
export const handoverOutcomes = ['received', 'already-received', 'refused', 'not-accepted'] as const
export type HandoverOutcome = (typeof handoverOutcomes)[number]

export interface Leg {
  readonly origin: Location
  readonly destination: Location
}

export const legOf = (row: { readonly origin: string; readonly destination: string }): Leg => ({
  origin: JSON.parse(row.origin),
  destination: JSON.parse(row.destination),
})

export const isAwbAwaited = ({
  carriage,
  awb,
}: {
  readonly carriage: Carriage
  readonly awb: string | null
}): boolean => carriage === 'awaiting-label' && awb === null

/** True when the leg ends at a branch, where the bag is collected. Other legs end at an agent. */
export function endsAtBranch(type: BookingType, leg: number): boolean {
  return legsOf(type)[leg]?.to === 'center'
}

/** Returns copies of the locations, so that later changes of the partner's lists do not affect the order. */
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

export interface RefundSummary {
  /** True while no new payment may begin, because a payment of a wrong amount was not returned yet. */
  readonly blocksPayment: boolean
  readonly refund: OrderRefund | undefined
  /** A refund that staff wrote off, and whose money was not returned. */
  readonly writtenOff?: OrderRefund | undefined
}

/**
 * The owner sees a refund that was written off when the order is cancelled or not paid, because the owner has neither
 * the money nor the service.
 */
export function refundOf(
  order: { readonly payment: OrderPayment; readonly ended: OrderEnd | null },
  known: OrderRefund | undefined,
  writtenOff?: OrderRefund,
): OrderRefund | undefined {
  const isOwed = order.payment === 'unpaid' || (order.payment === 'paid' && order.ended === 'cancelled')
  const isOpen = known?.state === 'pending' || known?.state === 'needs-help'
  return isOwed && !isOpen && writtenOff ? writtenOff : known
}
