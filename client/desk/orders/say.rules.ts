import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'

type Booking = DeskOrder['bookings'][number]

interface Saying {
  key: Exclude<DeskOrder['status'], 'PAID'> | `bag.${NonNullable<Booking['state']>}`
  booking?: Booking
}

/** States of a bag before which nothing was carried. */
const before = ['AWAITING_LABEL', 'READY', 'CANCELLED']

/** What is true of an order, for a caller: of its payment where it is not simply paid, then of each bag that travels or is to travel. */
export function sayingsOf({ status, bookings }: Pick<DeskOrder, 'status' | 'bookings'>): readonly Saying[] {
  const bags = bookings.flatMap((booking): readonly Saying[] => {
    const { state, lastEventAt } = booking
    if (state === null) return []
    const isBefore = before.includes(state)
    // Each other sentence says since when.
    const isSaid = isBefore ? status === 'PAID' : lastEventAt !== null
    return isSaid ? [{ key: `bag.${state}`, booking }] : []
  })
  return status === 'PAID' ? bags : [{ key: status }, ...bags]
}
