import { receivedAtOf } from '#client/entities/handover/received.rules.ts'
import { knownStatus } from '#client/entities/order/order-card.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'

/** A bag of this agent, with the facts by which the agent recognises it. */
export interface Bag {
  readonly orderId: number
  /**
   * The person who hands the bag over: the name on the airway bill or, if another person collects the bag, the customer's name.
   */
  readonly name: string | null
  /** The last digits of the bag's number, which people read out at the counter. */
  readonly last: string
  /** The receiver, when another person hands the bag over. */
  readonly receiver: string | undefined
  readonly destination: Booking['destination']
}

/**
 * The result of a check, which decides the agent's action. `knownAt`: the result comes from a copy kept at that time (epoch ms),
 * not from the server.
 */
export type BagCheck = Outcome & { readonly knownAt?: number }

type Outcome =
  | { readonly kind: 'receive'; readonly bag: Bag }
  /** `at`: the time of the hand-over, ISO 8601. */
  | { readonly kind: 'received'; readonly bag: Bag; readonly at: string | undefined }
  /** `isCertain`: false for a status that only a newer gateway knows. */
  | {
      readonly kind: 'void'
      readonly bag: Bag
      readonly isRefunded: boolean
      readonly isCertain: boolean
    }
  /** The bag belongs to another agent, or is unknown. */
  | { readonly kind: 'not-yours' }
  | { readonly kind: 'other-agent' }
  /** The server could not be reached. */
  | { readonly kind: 'unchecked' }

/** @param orders the agent's orders that the search for `awb` found. */
export function checkOf(awb: string, orders: readonly Order[]): BagCheck {
  for (const order of orders) {
    const booking = order.bookings.find((each) => each.awb === awb)
    if (booking === undefined) continue
    const bag = bagOf(order, awb)
    // A newer gateway may know more statuses.
    const isKnown = knownStatus(order.status) !== undefined
    if (booking.state === 'CANCELLED' || !isKnown)
      return {
        kind: 'void',
        bag,
        isRefunded: order.status === 'REFUNDED',
        isCertain: isKnown,
      }
    if (isHandedOver(booking.state)) return { kind: 'received', bag, at: receivedAtOf(booking) }
    return { kind: 'receive', bag }
  }
  return { kind: 'not-yours' }
}

/** @param order the order of the bag with this number. */
export function bagOf({ orderId, user, receiver, bookings }: Order, awb: string): Bag {
  const booking = bookings.find((each) => each.awb === awb)
  const own = user?.name ?? null
  return {
    orderId,
    name: receiver ? own : (booking?.receiver ?? own),
    last: awb.slice(-4),
    receiver: receiver?.name,
    destination: booking?.destination ?? { coordinates: null },
  }
}
