import type { Core } from '#server/core.ts'
import { type BagEvent, listBagEvents, type NewBagEvent } from '#server/features/history/bag-events.ts'
import { recordEvent, sendEvent } from '#server/features/history/history.ts'
import { writeMessages } from '#server/features/history/outbox.ts'
import { isExpected, leftOwnerAt, stateOfCarriage, type TravelEvent } from '#shared/orders/travel.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { inDaytime, lateFrom } from '#shared/platform/promises.rules.ts'
import { findBooking } from './bookings.queries.ts'
import { endCreations, isMoneyGoingBack } from './cancellation.queries.ts'
import { followBagClosely } from './following.ts'
import { undoOf } from './handovers.rules.ts'
import { findPromises } from './kept-terms.ts'
import { isNotified } from './receivers.rules.ts'
import { carriageChange, lockOrderOf, makeVoid, setCarriage } from './travel.queries.ts'

export interface RecordedEvents {
  readonly added: number
  readonly before: TravelState | null
  readonly after: TravelState | null
}

/**
 * A real bag has far fewer scans. Beyond this number only a courier scan of a new kind is stored, so that a flood of
 * scans cannot hide a step.
 */
export const eventsPerBooking = 300

/**
 * Needs a transaction. Stores each event once, and writes the messages about a new state of the bag.
 * @returns undefined when the booking does not exist
 */
export async function recordBagEvents(
  core: Core,
  bookingId: number,
  events: readonly NewBagEvent[],
): Promise<RecordedEvents | undefined> {
  const now = core.clock.now()
  const [order, booking, kept] = await Promise.all([
    lockOrderOf(core, bookingId),
    findBooking(core, bookingId),
    listEventsOf(core, bookingId),
  ])
  if (!order || !booking) return undefined
  const before = stateOfCarriage[booking.carriage]
  const { added, last } = await addEvents(core, order.id, bookingId, events, kept)
  if (last === undefined) return { added, before, after: before }
  const isGivenBack = events.some(({ kind }) => kind === 'undone')
  const isVoid = isGivenBack && (await isMoneyGoingBack(core, order.id))
  const [all, carriages] = await Promise.all([
    listEventsOf(core, bookingId),
    isVoid ? endCarriage(core, order.id, now) : setCarriage(core, order.id),
  ])
  const after = stateOfCarriage[carriages.get(bookingId) ?? booking.carriage]
  const about = { orderId: order.id, bookingId, userId: order.user_id }
  const undo = undoOf(all, now)
  const finalAt = undo.outcome === 'undo' ? undo.finalAt : undefined
  const carriage = carriageChange(before, after)
  if (carriage === 'handed-over' && booking.awb !== null) await followBagClosely(core, bookingId, booking.awb)
  await writeMessages(
    core,
    { ...last.event, ...about, id: last.id },
    {
      carriage,
      finalAt,
      isFinal: undo.outcome === 'too-late' && undoOf(kept, now).outcome === 'undo',
      hasReceiver: isNotified(booking),
    },
  )
  const late = !isHandedOver(before) && isExpected(all) ? await lateAt(core, order.id, all) : undefined
  if (late !== undefined) {
    // The hand-over's message must come before the message that the bag is late, although a hand-over can be recorded
    // days later.
    const lateFrom = inDaytime(Math.max(late, finalAt ?? now))
    await sendEvent(core, {
      kind: 'arrival-expected',
      data: { lateFrom },
      by: { kind: 'system' },
      orderId: order.id,
      bookingId,
    })
  }
  return { added, before, after }
}

/** The owner has the bag again and its money goes back, so no label is awaited. */
async function endCarriage(core: Core, orderId: number, now: number) {
  // `setCarriage` must come first, because `endCreations` leaves out bags that are carried.
  await setCarriage(core, orderId)
  await endCreations(core, orderId)
  return makeVoid(core, orderId, now)
}

async function addEvents(
  core: Core,
  orderId: number,
  bookingId: number,
  events: readonly NewBagEvent[],
  kept: readonly BagEvent[],
) {
  const scans = kept.filter(({ source }) => source === 'courier')
  const kinds = new Set(scans.map(({ kind }) => kind))
  let scanCount = scans.length
  let added = 0
  let last: { id: number; event: NewBagEvent } | undefined
  for (const event of events) {
    const scan = event.kind === 'scan' ? event.data.scan : undefined
    if (scan !== undefined && scanCount >= eventsPerBooking && kinds.has(scan)) continue
    const id = await recordEvent(core, { ...event, orderId, bookingId })
    if (id === undefined) continue
    last = { id, event }
    added += 1
    if (scan === undefined) continue
    kinds.add(scan)
    scanCount += 1
  }
  return { added, last }
}

/** Returns epoch milliseconds; undefined when no arrival day was promised. */
async function lateAt(core: Core, orderId: number, events: readonly TravelEvent[]) {
  const promises = await findPromises(core, orderId)
  const leftAt = leftOwnerAt(events)
  return promises && leftAt !== undefined ? lateFrom(promises, leftAt) : undefined
}

export const listEventsOf = async (core: Core, bookingId: number) =>
  (await listBagEvents(core, [bookingId])).get(bookingId) ?? []
