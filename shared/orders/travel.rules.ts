import type { EventKind, EventSource, TravelState } from './travel.schemas.ts'

/** A `void` bag will not be carried. */
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

export const carriedStates = ['received', 'moving', 'at-branch', 'exception', 'collected'] as const
export type Carried = (typeof carriedStates)[number]

export const isCarried = (carriage: Carriage): carriage is Carried =>
  carriedStates.some((carried) => carried === carriage)

/** Void bags do not count; `void` means that every bag of the order is void. */
export const handOverCounts = ['none', 'some', 'all', 'void'] as const
export type HandOverCount = (typeof handOverCounts)[number]

export interface TravelEvent {
  readonly kind: EventKind
  readonly source: EventSource
  readonly at: number
}

/** When two events have the same time, the one with the lower rank counts as the earlier. */
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

/** True when an agent records or undoes a hand-over. */
export const isHandover = ({ kind, source }: Pick<TravelEvent, 'kind' | 'source'>): boolean =>
  source === 'agent' && kind !== 'not-accepted'

export const isMovement = (kind: EventKind): boolean => kind === 'picked-up' || kind === 'in-transit'

/**
 * Returns null while the owner has the bag.
 * - Scans by agents count in the order of recording: an undo ends the hand-over that was recorded before it.
 * - Scans by the courier count by their own time: the last scan that is a step of the journey decides.
 * @param events in the order of recording, as in the other functions of this file
 */
export const carriedOf = (events: readonly TravelEvent[]): Carried | null => progressOf(events).state

/** Only a bag with its owner can become void. */
const isVoid = (events: readonly TravelEvent[]) =>
  events.some(({ kind, source }) => kind === 'cancelled' && source === 'system')

interface CarriageFacts {
  readonly isPaid: boolean
  readonly isLabelled: boolean
  readonly events: readonly TravelEvent[]
}

export function carriageOf({ isPaid, isLabelled, events }: CarriageFacts): Carriage {
  if (!isPaid) return 'none'
  if (isVoid(events)) return 'void'
  return carriedOf(events) ?? (isLabelled ? 'ready' : 'awaiting-label')
}

export function isUnderWay(events: readonly TravelEvent[]): boolean {
  const carried = carriedOf(events)
  return !isVoid(events) && (carried === 'received' || carried === 'moving' || carried === 'exception')
}

/** False once the bag has arrived, even if a problem followed, and while the courier returns it to its sender. */
export function isExpected(events: readonly TravelEvent[]): boolean {
  const { hasArrived, isReturning } = progressOf(events)
  return isUnderWay(events) && !hasArrived && !isReturning
}

interface Progress {
  readonly state: Carried | null
  readonly hasMoved: boolean
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
  // A scan after the collection is a mistake or belongs to another parcel.
  if (state === 'collected') return before
  if (isMovement(kind))
    return { ...before, state: isReturning ? 'exception' : 'moving', hasMoved: true, hasArrived: false }
  // Before any movement, `at-branch` is the counter where the owner handed the bag over (docs/wires/shipping.md).
  if (kind === 'at-branch' && hasMoved && !isReturning)
    return { ...before, state: 'at-branch', hasArrived: true }
  if (kind === 'handed-over' || kind === 'at-branch') return { ...before, state: state ?? 'received' }
  // After a return scan, `collected` means that the sender has the bag back.
  if (kind === 'collected') return { ...before, state: isReturning ? 'exception' : 'collected' }
  // A problem that the courier reports before the hand-over does not count.
  if (state === null || !isProblem(kind)) return before
  return { ...before, state: 'exception', isReturning: isReturning || kind === 'returning' }
}

const isProblem = (kind: TravelEvent['kind']) =>
  kind === 'exception' || kind === 'cancelled' || kind === 'returning'

export const carriagesOnTheWay = [
  'received',
  'moving',
  'at-branch',
  'exception',
] as const satisfies readonly Carried[]

export function handOverCountOf(bags: readonly Carriage[]): HandOverCount {
  const valid = bags.filter((carriage) => carriage !== 'void')
  if (valid.length === 0) return 'void'
  const count = valid.filter(isCarried).length
  if (count === 0) return 'none'
  return count === valid.length ? 'all' : 'some'
}

/** Kinds of events that do not prove that the courier has the bag. */
const withoutBag: readonly EventKind[] = ['unknown', 'exception', 'cancelled']

/**
 * A bag left its owner at the earliest time, because agents can record the hand-over after the courier's first scan.
 */
export function leftOwnerAt(events: readonly TravelEvent[]): number | undefined {
  const byAgent = events.findLast(isHandover)
  const byCourier = events.filter(({ source, kind }) => source === 'courier' && !withoutBag.includes(kind))
  const times = [...(byAgent?.kind === 'handed-over' ? [byAgent] : []), ...byCourier].map(({ at }) => at)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** A later scan at the same branch does not change the time of arrival. */
export function reachedBranchAt(events: readonly TravelEvent[]): number | undefined {
  const scans = events.filter(({ source }) => source === 'courier')
  const movedLast = Math.max(...scans.filter(({ kind }) => isMovement(kind)).map(({ at }) => at))
  const arrivals = scans.filter(({ kind, at }) => kind === 'at-branch' && at >= movedLast)
  return arrivals.length === 0 ? undefined : Math.min(...arrivals.map(({ at }) => at))
}

export function collectedAt(events: readonly TravelEvent[]): number | undefined {
  if (carriedOf(events) !== 'collected') return undefined
  return Math.min(...events.filter(({ kind }) => kind === 'collected').map(({ at }) => at))
}
