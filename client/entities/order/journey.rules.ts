import { type RefusalReason, refusalReasons } from '#shared/orders/handovers.operations.ts'
import { eventKinds } from '#shared/orders/orders.operations.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { isHandover } from '#shared/orders/travel.rules.ts'
import type { BookingEvent, EventKind } from '#shared/orders/travel.schemas.ts'

/** The facts of a booking from which a bag's timeline is made. */
export type Journey = Pick<Booking, 'state' | 'lastEventAt' | 'events'>

/** The agent's hand-over that counts; undefined when the last one was undone. */
export function handoverOf(events: readonly BookingEvent[]): BookingEvent | undefined {
  const last = events.findLast(isHandover)
  return last?.kind === 'handed-over' ? last : undefined
}

/** The agent's refusal of a bag that is still with its owner; undefined when the agent has done something else since. */
export function refusalOf({ state, events }: Pick<Journey, 'state' | 'events'>): BookingEvent | undefined {
  const last = events.findLast(({ source }) => source === 'agent')
  return state === 'READY' && last?.kind === 'not-accepted' ? last : undefined
}

/** The text key of the reason of a refusal; `other` for one of a newer server. */
export function knownReason(code: string | undefined): RefusalReason {
  return refusalReasons.find((known) => known === code) ?? 'other'
}

/** The text key of an event. */
export function knownKind(kind: string): EventKind {
  return eventKinds.find((known) => known === kind) ?? 'unknown'
}
