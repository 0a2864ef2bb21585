import type { EventKind, EventSource, TravelState } from './travel.schemas.ts'

/**
 * Where a bag is, as the database stores it. It follows from the payment of the order, the label and the events of the bag.
 * `void`: the bag will not be carried.
 */
export const carriages = [
  'none',
  'awaiting-label',
  'ready',
  'received',
  'moving',
  'at-branch',
  'exception',
  'collected',
  'void',
] as const
export type Carriage = (typeof carriages)[number]

/** The state of a bag as readers see it. */
export const stateOfCarriage: Readonly<Record<Carriage, TravelState | null>> = {
  none: null,
  'awaiting-label': 'AWAITING_LABEL',
  ready: 'READY',
  received: 'HANDED_OVER',
  moving: 'IN_TRANSIT',
  'at-branch': 'AT_BRANCH',
  exception: 'EXCEPTION',
  collected: 'COLLECTED',
  void: 'CANCELLED',
}

/** Carriage of a bag after its hand-over. */
export const carriedStates = ['received', 'moving', 'at-branch', 'exception', 'collected'] as const
export type Carried = (typeof carriedStates)[number]

export const isCarried = (carriage: Carriage): carriage is Carried =>
  carriedStates.some((carried) => carried === carriage)

/**
 * How many bags of an order have left their owner's hands. Void bags are not counted; `void`: every bag is void. An order can
 * be cancelled while it is `none`.
 */
export const handOverCounts = ['none', 'some', 'all', 'void'] as const
export type HandOverCount = (typeof handOverCounts)[number]

/** An event as the state is computed from it. */
export interface TravelEvent {
  readonly kind: EventKind
  readonly source: EventSource
  /** Epoch milliseconds. */
  readonly at: number
}

/** Orders events with the same time: the lower rank is earlier. */
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
 * The carriage of a bag after its hand-over; null while its owner has it. The events may have been recorded in any order.
 *
 * - Scans of agents count in the order of recording: an undo ends the hand-over recorded before it.
 * - Scans of the courier count by their own time, and the last one that means a step decides.
 *
 * @param events in the order of recording.
 */
export const carriedOf = (events: readonly TravelEvent[]): Carried | null => progressOf(events).state

/** True for a bag that was made void, which happens only while its owner has it. */
const isVoid = (events: readonly TravelEvent[]): boolean =>
  events.some(({ kind, source }) => kind === 'cancelled' && source === 'system')

/** Facts that decide the carriage of a bag. */
interface CarriageFacts {
  /** The order was paid, also where the money went back later. */
  readonly isPaid: boolean
  readonly isLabelled: boolean
  /** In the order of recording. */
  readonly events: readonly TravelEvent[]
}

export function carriageOf({ isPaid, isLabelled, events }: CarriageFacts): Carriage {
  if (!isPaid) return 'none'
  if (isVoid(events)) return 'void'
  return carriedOf(events) ?? (isLabelled ? 'ready' : 'awaiting-label')
}

/**
 * True for a bag that is neither with its owner nor waiting at the branch, nor collected.
 * @param events in the order of recording.
 */
export function isUnderWay(events: readonly TravelEvent[]): boolean {
  const carried = carriedOf(events)
  return !isVoid(events) && (carried === 'received' || carried === 'moving' || carried === 'exception')
}

/**
 * True while a bag is on its way to its branch. False for one that has arrived there, also where trouble followed, and for
 * one that the courier brings back.
 * @param events in the order of recording.
 */
export function isExpected(events: readonly TravelEvent[]): boolean {
  const { hasArrived, isReturning } = progressOf(events)
  return isUnderWay(events) && !hasArrived && !isReturning
}

interface Progress {
  readonly state: Carried | null
  readonly hasMoved: boolean
  /** It has reached its branch, and has not moved on since. */
  readonly hasArrived: boolean
  readonly isReturning: boolean
}

function progressOf(events: readonly TravelEvent[]): Progress {
  const byAgent = events.findLast(isHandover)
  const atAgent: Carried | null = byAgent?.kind === 'handed-over' ? 'received' : null
  return events
    .filter(({ source }) => source === 'courier')
    .toSorted((a, b) => a.at - b.at || rank[a.kind] - rank[b.kind])
    .reduce<Progress>(afterScan, { state: atAgent, hasMoved: false, hasArrived: false, isReturning: false })
}

function afterScan(before: Progress, { kind }: TravelEvent): Progress {
  const { state, hasMoved, isReturning } = before
  // The bag has been handed out: a later scan is a mistake or belongs to another parcel.
  if (state === 'collected') return before
  if (isMovement(kind))
    return { ...before, state: isReturning ? 'exception' : 'moving', hasMoved: true, hasArrived: false }
  // Before any movement this is the counter where the bag was dropped, not the branch (docs/wires/shipping.md).
  if (kind === 'at-branch' && hasMoved && !isReturning)
    return { ...before, state: 'at-branch', hasArrived: true }
  if (kind === 'handed-over' || kind === 'at-branch') return { ...before, state: state ?? 'received' }
  // After a return code the bag was handed to its sender.
  if (kind === 'collected') return { ...before, state: isReturning ? 'exception' : 'collected' }
  // A bag that was never handed over has no trouble on the way.
  if (state === null) return before
  if (kind === 'exception' || kind === 'cancelled') return { ...before, state: 'exception' }
  if (kind === 'returning') return { ...before, state: 'exception', isReturning: true }
  return before
}

/** States of a bag that neither its owner nor the person who collects it has. */
export const carriagesOnTheWay = [
  'received',
  'moving',
  'at-branch',
  'exception',
] as const satisfies readonly Carried[]

/** The count of an order from the carriage of its bags. */
export function handOverCountOf(bags: readonly Carriage[]): HandOverCount {
  const valid = bags.filter((carriage) => carriage !== 'void')
  if (valid.length === 0) return 'void'
  const count = valid.filter(isCarried).length
  if (count === 0) return 'none'
  return count === valid.length ? 'all' : 'some'
}

/** Scans of these kinds do not prove that the courier has the bag. */
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
