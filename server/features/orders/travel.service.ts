import type { Core } from '#server/core.ts'
import type { NewBagEvent } from '#server/features/history/bag-events.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { writeMessages } from '#server/features/history/outbox.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { isExpected, leftOwnerAt, stateOfCarriage, type TravelEvent } from '#shared/orders/travel.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { inDaytime, lateFrom } from '#shared/platform/promises.rules.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import type { BagRow } from './bags.store.ts'
import type { Following } from './following.ts'
import { undoOf } from './handovers.rules.ts'
import type { OrdersStore } from './orders.store.ts'
import { isToldTo } from './receivers.rules.ts'
import { carriageNewsOf } from './travel.store.ts'

export interface TravelDeps extends Pick<Core, 'database' | 'clock'> {
  readonly store: OrdersStore
  readonly following: Following
}

interface TravelNeeds extends TravelDeps {
  /** Reads the promises that the order was made on. */
  readonly findPromises: (orderId: number) => Promise<Promises | undefined>
}

/** What recording did. The states are those that readers see. */
export interface RecordedEvents {
  /** How many of the events were new. */
  readonly added: number
  readonly before: TravelState | null
  readonly after: TravelState | null
}

/**
 * Scans of the courier kept of one booking: many times what any bag has. Above it, only a kind that the booking does not
 * have yet is kept, so that a courier that floods one bag hides no step. Events of agents are always kept.
 */
export const eventsPerBooking = 300

/** Records what happens to bags. */
export function createTravel({ database, store, following, clock, findPromises }: TravelNeeds) {
  /** Stores the events that are new and keepable; returns all events of the booking, those before, how many are new and the last of these. */
  async function addEvents(orderId: number, bookingId: number, events: readonly NewBagEvent[]) {
    const kept = (await store.findEvents([bookingId])).get(bookingId) ?? []
    const scans = kept.filter(({ source }) => source === 'courier')
    const kinds = new Set(scans.map(({ kind }) => kind))
    let scanCount = scans.length
    let added = 0
    let last: { id: number; event: NewBagEvent } | undefined
    for (const event of events) {
      const scan = event.kind === 'scan' ? event.data.scan : undefined
      if (scan !== undefined && scanCount >= eventsPerBooking && kinds.has(scan)) continue
      const id = await store.insertEvent({ orderId, bookingId }, event)
      if (id === undefined) continue
      last = { id, event }
      added += 1
      if (scan === undefined) continue
      kinds.add(scan)
      scanCount += 1
    }
    const all = added === 0 ? kept : ((await store.findEvents([bookingId])).get(bookingId) ?? [])
    return { kept, all, added, last }
  }

  /** Inside a transaction: when the owner is told that the bag has not arrived in time; undefined where no day is promised. */
  async function lateAt(orderId: number, events: readonly TravelEvent[]): Promise<number | undefined> {
    const promises = await findPromises(orderId)
    const leftAt = leftOwnerAt(events)
    return promises && leftAt !== undefined ? lateFrom(promises, leftAt) : undefined
  }

  const findBooking = async (orderId: number, bookingId: number) =>
    (await store.findBookings([orderId])).find(({ id }) => id === bookingId)

  return {
    /**
     * Inside a transaction: stores each event of a booking once and what follows from all of them, with the messages about a new
     * state. Undefined when there is no such booking.
     */
    async recordEvents(
      bookingId: number,
      events: readonly NewBagEvent[],
    ): Promise<RecordedEvents | undefined> {
      const now = clock.now()
      const order = await store.lockOrderOf(bookingId)
      if (!order) return undefined
      const booking = await findBooking(order.id, bookingId)
      if (!booking) return undefined
      const before = stateOfCarriage[booking.carriage]
      const { kept, all, added, last } = await addEvents(order.id, bookingId, events)
      if (last === undefined) return { added, before, after: before }
      const isGivenBack = events.some(({ kind }) => kind === 'undone')
      if (isGivenBack && (await store.isMoneyGoingBack(order.id))) await store.makeVoid(order.id, now)
      else await store.setCarriage(order.id)
      const after = stateOfCarriage[(await findBooking(order.id, bookingId))?.carriage ?? booking.carriage]
      const about = { orderId: order.id, bookingId, userId: order.user_id }
      const undo = undoOf(all, now)
      const finalAt = undo.outcome === 'undo' ? undo.finalAt : undefined
      const carriage = carriageNewsOf(before, after)
      if (carriage === 'handed-over' && booking.awb !== null)
        await following.followClosely(bookingId, booking.awb)
      await writeMessages(
        { database },
        { ...last.event, ...about, id: last.id },
        {
          carriage,
          finalAt,
          isFinal: undo.outcome === 'too-late' && undoOf(kept, now).outcome === 'undo',
          hasReceiver: isToldTo(booking),
        },
      )
      const late = !isHandedOver(before) && isExpected(all) ? await lateAt(order.id, all) : undefined
      if (late !== undefined) {
        // Not before the news of a hand-over that was recorded days later.
        const lateFrom = inDaytime(Math.max(late, finalAt ?? now))
        await recordEvent(
          { database },
          {
            kind: 'arrival-expected',
            data: { lateFrom },
            by: { kind: 'system' },
            orderId: order.id,
            bookingId,
          },
        )
      }
      return { added, before, after }
    },
  }
}

/** A booking that has an airway bill, as the features that follow it see it. */
export interface Bag {
  readonly id: number
  readonly orderId: number
  readonly awb: string
  /** The partner's key of the shipment. */
  readonly reference: string
  /** Cities of its way, in English. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** When the partner was first asked for its airway bill, or before. */
  readonly requestedAt: number
  readonly state: TravelState | null
}

export function createBags({ store }: { readonly store: OrdersStore }) {
  return {
    async findBags(ids: readonly number[]): Promise<Bag[]> {
      return (await store.findBagsById(ids)).map(bagOf)
    },

    /** Bags with one of these airway bills or of these references. */
    async findBagsByNumbers(awbs: readonly string[], references: readonly string[]): Promise<Bag[]> {
      const rows = [...(await store.findBagsByAwb(awbs)), ...(await store.findBagsByReference(references))]
      return [...new Map(rows.map((row) => [row.id, row])).values()].map(bagOf)
    },
  }
}

function bagOf(row: BagRow): Bag {
  const cityOf = (location: string) => (JSON.parse(location) as Location).city
  return {
    id: row.id,
    orderId: row.order_id,
    awb: row.awb,
    reference: row.reference,
    from: cityOf(row.origin),
    to: cityOf(row.destination),
    requestedAt: row.requested_at,
    state: stateOfCarriage[row.carriage],
  }
}
