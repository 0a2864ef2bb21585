import { receivedAtOf } from '#client/entities/handover/received.rules.ts'
import { knownStatus } from '#client/entities/order/order-card.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'

/** A bag of this agent, as the agent recognises it. */
export interface Bag {
  readonly orderId: number
  /** Who hands it over: the name on the airway bill, unless another person collects it, else the customer's. */
  readonly name: string | null
  /** Of its number: what is read out at the counter. */
  readonly last: string
  /** Who collects it, where that is not who hands it over. */
  readonly receiver: string | undefined
  readonly destination: Booking['destination']
}

/** What the agent does with a scanned bag. `knownAt`: not the server's present answer, but what was kept of it then (epoch ms). */
export type BagCheck = Outcome & { readonly knownAt?: number }

type Outcome =
  | { readonly kind: 'receive'; readonly bag: Bag }
  /** `at`: when it was received, ISO 8601. */
  | { readonly kind: 'received'; readonly bag: Bag; readonly at: string | undefined }
  /** `isCertain`: not by a status that only a newer gateway knows. */
  | {
      readonly kind: 'void'
      readonly bag: Bag
      readonly isRefunded: boolean
      readonly isCertain: boolean
    }
  /** Of another agent, or unknown. */
  | { readonly kind: 'not-yours' }
  | { readonly kind: 'other-agent' }
  /** The server could not be asked. */
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

/** @param order of the bag with this number. */
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
