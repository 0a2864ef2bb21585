import type { Booking } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel.rules.ts'
import { type BookingEvent, type EventKind, eventKinds } from '#shared/orders/travel.schemas.ts'

/** What is known of a bag's way. */
export type Journey = Pick<Booking, 'state' | 'lastEventAt' | 'events'>

/** True for a bag that has left its owner's hands. */
export function isTravelling({ state }: Pick<Journey, 'state'>): boolean {
  return isHandedOver(state)
}

/** The agent's hand-over that counts; undefined when the last one was undone. */
export function handoverOf(events: readonly BookingEvent[]): BookingEvent | undefined {
  const last = events.findLast(({ source }) => source === 'agent')
  return last?.kind === 'handed-over' ? last : undefined
}

/** The text key of an event. */
export function knownKind(kind: string): EventKind {
  return eventKinds.find((known) => known === kind) ?? 'unknown'
}
