import type { BookingState, OrderStatus } from './orders.schemas.ts'
import type { EventKind, EventSource, TravelState } from './travel.schemas.ts'

/** How many bags of an order have left their owner's hands: an order can be cancelled while it is `none`. */
export const handOverCounts = ['none', 'some', 'all'] as const
export type HandOverCount = (typeof handOverCounts)[number]

/** An event as the state is computed from it. */
export interface TravelEvent {
  readonly kind: EventKind
  readonly source: EventSource
  /** Epoch milliseconds. */
  readonly at: number
}

/** A state that follows from events alone. */
export type EventState = Exclude<TravelState, 'AWAITING_LABEL' | 'READY'>

/** Of two events with the same time the one that comes first. */
const rank: Readonly<Record<EventKind, number>> = {
  unknown: 0,
  'hand-over-undone': 0,
  'not-accepted': 0,
  'handed-over': 1,
  'picked-up': 2,
  'in-transit': 3,
  exception: 4,
  cancelled: 4,
  returning: 5,
  'at-branch': 6,
  collected: 7,
}

/** An agent took the bag, or gave it back: a bag that is not accepted stays where it is. */
export const isHandover = ({ kind, source }: Pick<TravelEvent, 'kind' | 'source'>): boolean =>
  source === 'agent' && kind !== 'not-accepted'

/** The courier carries the bag. */
export const isMovement = (kind: EventKind): boolean => kind === 'picked-up' || kind === 'in-transit'

/**
 * The state that follows from all events of a bag; null: it was not handed over. They may have been recorded in any order.
 *
 * - A cancellation of ours is final: it is recorded only before a hand-over, and the order of recording decides.
 * - Scans of agents count in the order of recording: an undo ends the hand-over recorded before it.
 * - Scans of the courier count by their own time, and the last one that means a step decides.
 *
 * @param events in the order of recording.
 */
export function travelStateOf(events: readonly TravelEvent[]): EventState | null {
  if (events.some(({ kind, source }) => kind === 'cancelled' && source === 'system')) return 'CANCELLED'
  return progressOf(events).state
}

/**
 * True while a bag is on its way to its branch. False for one that has arrived there, also where trouble followed, and for
 * one that the courier brings back.
 * @param events in the order of recording.
 */
export function isExpected(events: readonly TravelEvent[]): boolean {
  const { hasArrived, isReturning } = progressOf(events)
  return isMoving(travelStateOf(events)) && !hasArrived && !isReturning
}

interface Progress {
  readonly state: EventState | null
  readonly hasMoved: boolean
  /** It has reached its branch, and has not moved on since. */
  readonly hasArrived: boolean
  readonly isReturning: boolean
}

function progressOf(events: readonly TravelEvent[]): Progress {
  const byAgent = events.findLast(isHandover)
  const atAgent: EventState | null = byAgent?.kind === 'handed-over' ? 'HANDED_OVER' : null
  return events
    .filter(({ source }) => source === 'courier')
    .toSorted((a, b) => a.at - b.at || rank[a.kind] - rank[b.kind])
    .reduce<Progress>(afterScan, { state: atAgent, hasMoved: false, hasArrived: false, isReturning: false })
}

function afterScan(before: Progress, { kind }: TravelEvent): Progress {
  const { state, hasMoved, isReturning } = before
  // The bag has been handed out: a later scan is a mistake or belongs to another parcel.
  if (state === 'COLLECTED') return before
  if (isMovement(kind))
    return { ...before, state: isReturning ? 'EXCEPTION' : 'IN_TRANSIT', hasMoved: true, hasArrived: false }
  // Before any movement this is the counter where the bag was dropped, not the branch (docs/wires/shipping.md).
  if (kind === 'at-branch' && hasMoved && !isReturning)
    return { ...before, state: 'AT_BRANCH', hasArrived: true }
  if (kind === 'handed-over' || kind === 'at-branch') return { ...before, state: state ?? 'HANDED_OVER' }
  // After a return code the bag was handed to its sender.
  if (kind === 'collected') return { ...before, state: isReturning ? 'EXCEPTION' : 'COLLECTED' }
  // A bag that was never handed over has no trouble on the way.
  if (state === null) return before
  if (kind === 'exception' || kind === 'cancelled') return { ...before, state: 'EXCEPTION' }
  if (kind === 'returning') return { ...before, state: 'EXCEPTION', isReturning: true }
  return before
}

/** What a booking's state follows from. */
interface BookingFacts {
  readonly orderStatus: OrderStatus
  /** The way to the airway bill. */
  readonly labelState: BookingState
  readonly eventState: EventState | null
}

/** The state as readers see it. */
export function shownStateOf({ orderStatus, labelState, eventState }: BookingFacts): TravelState | null {
  if (orderStatus === 'PENDING_PAYMENT' || orderStatus === 'EXPIRED') return null
  if (orderStatus === 'CANCELLED') return 'CANCELLED'
  if (eventState !== null) return eventState
  // Refunded by a build that did not record cancellations, or on its way and then given back by the agent.
  if (orderStatus === 'REFUNDED') return 'CANCELLED'
  return labelState === 'issued' ? 'READY' : 'AWAITING_LABEL'
}

/** True when the bag has left its owner's hands. */
export function isHandedOver(state: TravelState | null): boolean {
  return state !== null && state !== 'AWAITING_LABEL' && state !== 'READY' && state !== 'CANCELLED'
}

/** States of a bag that is neither with its owner nor with the person who collects it. */
export const movingStates = [
  'HANDED_OVER',
  'IN_TRANSIT',
  'AT_BRANCH',
  'EXCEPTION',
] as const satisfies readonly EventState[]

/** Bags that silence is a worry for: neither with their owner nor waiting at the branch. */
export function isMoving(state: TravelState | null): boolean {
  return state === 'HANDED_OVER' || state === 'IN_TRANSIT' || state === 'EXCEPTION'
}

/** The count of an order from the states of its bookings. */
export function handOverCountOf(states: readonly (EventState | null)[]): HandOverCount {
  const count = states.filter(isHandedOver).length
  if (count === 0) return 'none'
  return count === states.length ? 'all' : 'some'
}

/** Kinds of scans that prove nothing about who has the bag. */
const withoutBag: readonly EventKind[] = ['unknown', 'exception', 'cancelled']

/**
 * When a bag left its owner's hands, in epoch milliseconds; undefined where no event says so. An agent may record it after
 * the courier's first scan: the earliest time counts.
 *
 * @param events in the order of recording.
 */
export function leftOwnerAt(events: readonly TravelEvent[]): number | undefined {
  const byAgent = events.findLast(isHandover)
  const byCourier = events.filter(({ source, kind }) => source === 'courier' && !withoutBag.includes(kind))
  const times = [...(byAgent?.kind === 'handed-over' ? [byAgent] : []), ...byCourier].map(({ at }) => at)
  return times.length === 0 ? undefined : Math.min(...times)
}

/**
 * When a bag that is at its branch arrived there, in epoch milliseconds: a later scan of the same branch does not count.
 * Undefined where no scan says so.
 */
export function reachedBranchAt(events: readonly TravelEvent[]): number | undefined {
  const scans = events.filter(({ source }) => source === 'courier')
  const movedLast = Math.max(...scans.filter(({ kind }) => isMovement(kind)).map(({ at }) => at))
  const arrivals = scans.filter(({ kind, at }) => kind === 'at-branch' && at >= movedLast)
  return arrivals.length === 0 ? undefined : Math.min(...arrivals.map(({ at }) => at))
}
