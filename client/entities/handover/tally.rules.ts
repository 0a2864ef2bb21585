import { dayInRiyadh } from '#client/platform/dates.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import type { KeptBags } from './kept-bags.rules.ts'
import { stateOf } from './kept-bags.rules.ts'
import { receivedAtOf } from './received.rules.ts'
import type { Shift } from './shift.ts'

export interface Tally {
  /** Bags received since midnight in Riyadh, on all devices of the agent as far as this one knows. */
  readonly today: number
  /** Orders that wait; undefined before the list is known. */
  readonly waiting: number | undefined
  /** Bags received on this device, and not sent yet. */
  readonly unsent: number
}

/** @param unsent the numbers of bags that were received on this device and not sent yet. */
export function tallyOf(
  kept: KeptBags | undefined,
  shift: Shift | undefined,
  unsent: ReadonlySet<string>,
  now: number,
): Tally {
  const today = dayInRiyadh(now)
  const isToday = (at: string | number | undefined) => at !== undefined && dayInRiyadh(at) === today
  const orders = kept?.bags.map(({ order }) => order) ?? []
  const known = orders
    .flatMap(({ bookings }) => bookings)
    .filter((booking) => isHandedOver(booking.state) && isToday(receivedAtOf(booking)))
  // The kept list has only the newest bags: on a long day the count of the shift is the better one.
  const counted = shift !== undefined && isToday(shift.since) ? shift.received : 0
  const waiting = orders.filter(
    (order) =>
      stateOf(order) === 'waiting' && !order.bookings.some(({ awb }) => awb !== null && unsent.has(awb)),
  )
  return {
    today: Math.max(known.length, counted) + unsent.size,
    waiting: kept === undefined || kept.listedAt === 0 ? undefined : waiting.length,
    unsent: unsent.size,
  }
}
