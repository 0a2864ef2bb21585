import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'

type Booking = DeskOrder['bookings'][number]

interface Saying {
  key: Exclude<DeskOrder['status'], 'PAID'> | `bag.${NonNullable<Booking['state']>}`
  booking?: Booking
}

/** States of a bag that was not carried yet. */
const before = ['AWAITING_LABEL', 'READY', 'CANCELLED']

/** Sentences for a caller: first the payment unless the order is paid, then each bag that travels or will travel. */
export function sayingsOf({ status, bookings }: Pick<DeskOrder, 'status' | 'bookings'>): readonly Saying[] {
  const bags = bookings.flatMap((booking): readonly Saying[] => {
    const { state, lastEventAt } = booking
    if (state === null) return []
    const isBefore = before.includes(state)
    // The sentences for all other states need the time of the last event.
    const isSaid = isBefore ? status === 'PAID' : lastEventAt !== null
    return isSaid ? [{ key: `bag.${state}`, booking }] : []
  })
  return status === 'PAID' ? bags : [{ key: status }, ...bags]
}
