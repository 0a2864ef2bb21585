import type { Booking } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel.rules.ts'
import { type BookingEvent, type EventKind, eventKinds, travelStates } from '#shared/orders/travel.schemas.ts'

/** What is known of a bag's way. */
export type Journey = Pick<Booking, 'state' | 'lastEventAt' | 'events'>

/** The knots of the thread, in the order of travel. */
export const journeySteps = ['handed-over', 'on-the-way', 'at-branch', 'collected'] as const
export type JourneyStepName = (typeof journeySteps)[number]

export interface JourneyStep {
  readonly name: JourneyStepName
  readonly progress: 'done' | 'current' | 'delayed' | 'ahead'
  /** The event that reached it; absent where it was only implied by a later one. */
  readonly event?: BookingEvent | undefined
}

const kindsOfStep: Readonly<Record<JourneyStepName, readonly EventKind[]>> = {
  'handed-over': ['handed-over'],
  'on-the-way': ['picked-up', 'in-transit'],
  'at-branch': ['at-branch'],
  collected: ['collected'],
}

const stepOfState: Partial<Record<string, JourneyStepName>> = {
  HANDED_OVER: 'handed-over',
  IN_TRANSIT: 'on-the-way',
  AT_BRANCH: 'at-branch',
  COLLECTED: 'collected',
}

/** True for a bag that has left its owner's hands. */
export function isTravelling({ state }: Pick<Journey, 'state'>): boolean {
  return isHandedOver(state)
}

/** The knots of a bag that travels; none for any other, and for a state of a newer server. */
export function stepsOf({ state, events }: Journey): JourneyStep[] {
  const reached = state === 'EXCEPTION' ? furthest(events) : stepOfState[state ?? '']
  if (reached === undefined) return []
  const here = journeySteps.indexOf(reached)
  return journeySteps.map((name, index) => ({
    name,
    progress:
      index > here
        ? 'ahead'
        : index < here || name === 'collected'
          ? 'done'
          : state === 'EXCEPTION'
            ? 'delayed'
            : 'current',
    event: index > here ? undefined : events.findLast(({ kind }) => kindsOfStep[name].includes(kind)),
  }))
}

/** How far a bag had come before it was held up. */
function furthest(events: readonly BookingEvent[]): JourneyStepName {
  const has = (name: JourneyStepName) => events.some(({ kind }) => kindsOfStep[name].includes(kind))
  return has('at-branch') ? 'at-branch' : has('on-the-way') ? 'on-the-way' : 'handed-over'
}

/** The agent's hand-over that counts; undefined when the last one was undone. */
export function handoverOf(events: readonly BookingEvent[]): BookingEvent | undefined {
  const last = events.findLast(({ source }) => source === 'agent')
  return last?.kind === 'handed-over' ? last : undefined
}

/** The text key of a state; `other` for one of a newer server. */
export function knownState(state: string): (typeof travelStates)[number] | 'other' {
  return travelStates.find((known) => known === state) ?? 'other'
}

/** The text key of an event. */
export function knownKind(kind: string): EventKind {
  return eventKinds.find((known) => known === kind) ?? 'unknown'
}
