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

/** An open refund can still block the payment (`blocksPayment`). */
export const isPayable = (order: {
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
}): boolean => statusOf(order) === 'PENDING_PAYMENT'

export type OpenBookingState = Extract<BookingState, 'waiting' | 'labelling'>

/**
 * At most this many bookings are worked on simultaneously, over all gateways. With 2 s per call this is enough for
 * twice the expected maximum of 5.4 orders/s.
 */
export const bookingsAtOnce = 20

/**
 * `refused`: our server refused the bag of an unpaid, cancelled or refunded order. `not-accepted`: the agent refused
 * the bag.
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

export function endsAtBranch(type: BookingType, leg: number): boolean {
  return legsOf(type)[leg]?.to === 'center'
}

/** Copies the locations, so that a later change in the partner's lists does not change the order. */
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
  readonly blocksPayment: boolean
  readonly refund: OrderRefund | undefined
  /** Staff gave this refund up. Its money was not returned. */
  readonly writtenOff?: OrderRefund | undefined
}

/**
 * A cancelled or unpaid order shows a written-off refund, because the owner has neither the money nor the transport.
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
