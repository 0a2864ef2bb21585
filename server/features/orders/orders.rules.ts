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

/** True for an order whose payment can be started, unless a refund blocks it. */
export const isPayable = (order: {
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
}): boolean => statusOf(order) === 'PENDING_PAYMENT'

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

/** The places between which a bag travels. */
export interface Leg {
  readonly origin: Location
  readonly destination: Location
}

/** The leg of a booking, whose row holds both places as JSON. */
export const legOf = (row: { readonly origin: string; readonly destination: string }): Leg => ({
  origin: JSON.parse(row.origin),
  destination: JSON.parse(row.destination),
})

/** True while the airway bill of a paid bag is still to be issued. */
export const isAwbAwaited = ({
  carriage,
  awb,
}: {
  readonly carriage: Carriage
  readonly awb: string | null
}): boolean => carriage === 'awaiting-label' && awb === null

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

/** The refunds of an order, as its readers need them. */
export interface RefundSummary {
  /** No payment can be started until the money is back. */
  readonly blocksPayment: boolean
  readonly refund: OrderRefund | undefined
  /** A refund that could not be made at the provider and was closed by staff, and whose money is not back. */
  readonly writtenOff?: OrderRefund | undefined
}

/**
 * The refund as shown to the order's owner. One that was written off is shown where its owner has neither the money nor what
 * was paid for: of a cancelled order, and of one that is not paid.
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
