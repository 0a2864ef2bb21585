import type { BookingType, Place } from '#shared/orders/orders.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

/**
 * `PENDING_PAYMENT` is the only status that a payment leaves for `PAID`, except a late success, which revives an
 * expired order: the pilgrim paid and the bag can still be carried (R17).
 */
export const payableStatuses = ['PENDING_PAYMENT', 'EXPIRED'] as const

/**
 * A booking's way to its airway bill: `none` until the order is paid, `waiting` for the partner, `labelling` when
 * the number is known and the file is missing, `issued` with both, `canceled` when the money went back before.
 */
export type BookingState = 'none' | 'waiting' | 'labelling' | 'issued' | 'canceled'

/** States the shipment worker has something to do in. */
export const openBookingStates = ['waiting', 'labelling'] as const

export interface Leg {
  readonly origin: Place
  readonly destination: Place
}

/** True for a leg whose bag is handed out at the branch; the others end at the agent's. */
export function endsAtBranch(type: BookingType, leg: number): boolean {
  return type === 'FROM_MINA' || (type === 'TO_AND_FROM_MINA' && leg === 1)
}

/** The legs of a route, as they are promised at this moment: later changes of the partner's lists do not move them. */
export function legsOf(type: BookingType, agent: PartnerAgent, center: Center): Leg[] {
  const atAgent: Place = {
    name: agent.name,
    address: agent.address,
    city: agent.city,
    phone: agent.phone,
    coordinates: agent.coordinates,
  }
  const atCenter: Place = {
    addressAR: center.addressAR,
    addressEN: center.addressEN,
    city: center.city,
    coordinates: center.coordinates,
  }
  const there = { origin: atCenter, destination: atAgent }
  const back = { origin: atAgent, destination: atCenter }
  if (type === 'TO_MINA') return [there]
  if (type === 'FROM_MINA') return [back]
  return [there, back]
}
