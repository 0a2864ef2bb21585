import { handoverOf } from '#client/entities/order/journey.rules.ts'
import { orderStatuses } from '#shared/orders/orders.operations.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import type { BookingEvent, EventKind, TravelState } from '#shared/orders/travel.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'

/**
 * The life of a tag. `blank`: not paid. `tied`: paid, with its owner. `torn`: its stub is with the agent. `travelling`,
 * `delayed`: on its way. `here`: to be collected. `cancelled`, `refunded`, `expired`: the order carries no bag.
 */
export type TagState =
  | 'blank'
  | 'tied'
  | 'torn'
  | 'travelling'
  | 'delayed'
  | 'here'
  | 'collected'
  | 'cancelled'
  | 'refunded'
  | 'expired'

type Bag = Pick<Booking, 'state' | 'events'>

/** The states of a bag in a paid order. */
export type BagState = Exclude<TagState, 'blank' | 'refunded' | 'expired'>

const byBag: Readonly<Record<TravelState, BagState>> = {
  AWAITING_LABEL: 'tied',
  READY: 'tied',
  HANDED_OVER: 'torn',
  IN_TRANSIT: 'travelling',
  EXCEPTION: 'delayed',
  AT_BRANCH: 'here',
  COLLECTED: 'collected',
  CANCELLED: 'cancelled',
}

/** State of a tag in a paid order. A bag that was handed over is travelling if its state is unknown to this release. */
export function tagOfBag({ state, events }: Bag): BagState {
  if (state === null) return 'tied'
  return byBag[state] ?? (handoverOf(events) === undefined ? 'tied' : 'travelling')
}

/** The order decides while it is not paid, and where its money went back before the bag was handed over. */
export function tagOf(
  { status, refund, payable }: Pick<Order, 'status' | 'refund' | 'payable'>,
  bag: Bag,
): TagState {
  const known = orderStatuses.find((each) => each === status)
  if (known === 'PAID' || isHandedOver(bag.state)) return tagOfBag(bag)
  if (known === 'EXPIRED') return 'expired'
  if (known === 'CANCELLED') return 'cancelled'
  return known === 'REFUNDED' || (refund !== undefined && !payable) ? 'refunded' : 'blank'
}

/** The states in order, the bag that is furthest behind first. */
const behindFirst: readonly TagState[] = [
  'tied',
  'torn',
  'delayed',
  'travelling',
  'here',
  'collected',
  'cancelled',
]

/** The index of the bag that is furthest behind; -1 without bags. */
export function leadOf(bags: readonly Bag[]): number {
  const places = bags.map((bag) => behindFirst.indexOf(tagOfBag(bag)))
  return places.indexOf(Math.min(...places))
}

/** True when the order carries no bag and will carry none. */
export function isTagOver(state: TagState): boolean {
  return state === 'cancelled' || state === 'refunded' || state === 'expired'
}

/** True when the agent undid the hand-over, so that the stub is shown again. */
export function isUntorn({ state, events }: Bag): boolean {
  if (tagOfBag({ state, events }) !== 'tied') return false
  return events.findLast(({ source }) => source === 'agent')?.kind === 'hand-over-undone'
}

/** A step of the timeline that has happened. */
export interface Step {
  readonly event: BookingEvent
  readonly progress: 'done' | 'current' | 'delayed'
}

const stepKinds: readonly EventKind[] = [
  'picked-up',
  'in-transit',
  'at-branch',
  'exception',
  'returning',
  'collected',
]

/**
 * The first and the newest step of a bag, of the hand-over that counts and the scans that move the bag on. The steps between
 * them are among all the news.
 * @param isLate it has not arrived by the day that was promised
 */
export function stepsOf({ state, events }: Bag, isLate = false): readonly Step[] {
  const handover = handoverOf(events)
  const scans = events.filter(({ source, kind }) => source === 'courier' && stepKinds.includes(kind))
  const firstMove = scans.findIndex(({ kind }) => kind !== 'at-branch')
  // Before any movement, a scan at a branch is of the counter where the bag was dropped (travel.rules.ts).
  const moves = firstMove < 0 ? [] : scans.slice(firstMove)
  // The newest of several scans at one place counts.
  const news = moves.filter((move, index) => {
    const next = moves[index + 1]
    return next === undefined || next.kind !== move.kind || next.place !== move.place
  })
  const all = handover === undefined ? news : [handover, ...news]
  const isDelayed = isLate || state === 'EXCEPTION'
  const shown = all.length > 1 ? [...all.slice(0, 1), ...all.slice(-1)] : all
  const last = isDelayed ? 'delayed' : state === 'COLLECTED' ? 'done' : 'current'
  return shown.map((event, index) => ({ event, progress: index === shown.length - 1 ? last : 'done' }))
}
