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

/** A refund may still block the payment. */
export const isPayable = (order: {
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
}): boolean => statusOf(order) === 'PENDING_PAYMENT'

/** The shipment worker has something to do: the booking is due at some time. */
export type OpenBookingState = Extract<BookingState, 'waiting' | 'labelling'>

/** Calls of all gateways: at 2 s a call they carry twice the peak of 5.4 orders/s. */
export const bookingsAtOnce = 20

/** `refused`: by us, because the order was not paid, or cancelled or refunded before. `not-accepted`: by the agent. */
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

/** The bag is handed out at the branch; other legs end at the agent's. */
export function endsAtBranch(type: BookingType, leg: number): boolean {
  return legsOf(type)[leg]?.to === 'center'
}

/** A copy of the locations, which later changes of the partner's lists do not affect. */
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
  /** No payment can be started until the money is back. */
  readonly blocksPayment: boolean
  readonly refund: OrderRefund | undefined
  /** Closed by staff without the provider, and its money is not back. */
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
