import { type BagEvent, listBagEvents, type NewBagEvent } from '#server/features/history/bag-events.ts'
import { listEvents, recordEvent } from '#server/features/history/history.ts'
import { type CarriageNews, writeMessages } from '#server/features/history/outbox.ts'
import type { Database } from '#server/platform/database/database.ts'
import {
  type Carriage,
  carriageOf,
  carriedOf,
  handOverCountOf,
  stateOfCarriage,
} from '#shared/orders/travel.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { isToldTo } from './receivers.rules.ts'

/** What happened to bags after payment. */
export function createTravelStore(database: Database) {
  return { ...createEvents(database), ...createLocks(database), ...createCarriage(database) }
}

function createEvents(database: Database) {
  return {
    /** Events of the bookings, per booking in the order of recording. */
    findEvents: (bookingIds: readonly number[]): Promise<ReadonlyMap<number, BagEvent[]>> =>
      listBagEvents({ database }, bookingIds),

    /**
     * Inside a transaction: stores an event of a bag, whose messages follow once the bag is where all events of its batch say.
     * @returns its id; undefined when it is stored already.
     */
    insertEvent: (
      bag: { readonly orderId: number; readonly bookingId: number },
      event: NewBagEvent,
    ): Promise<number | undefined> => recordEvent({ database }, { ...event, ...bag }),
  }
}

function createLocks(database: Database) {
  return {
    /**
     * Inside a transaction: locks the order of a booking, so that hand-over, scans, cancellation and refund of one order
     * follow each other. The order as it is now; undefined when there is no such booking.
     */
    async lockOrderOf(bookingId: number) {
      database.assertTransaction()
      const booking = await database.tables
        .selectFrom('bookings')
        .select('order_id')
        .where('id', '=', bookingId)
        .executeTakeFirst()
      if (!booking) return undefined
      return (
        database.tables
          .selectFrom('orders')
          .select(['id', 'user_id', 'payment', 'ended', 'handed_over'])
          .where('id', '=', booking.order_id)
          // SQLite has one writer at a time.
          .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
          .executeTakeFirst()
      )
    },

    /** Inside a transaction: locks the orders of a user whose bags agents may take, as `lockOrderOf` locks one. */
    async lockOrdersOf(userId: number): Promise<void> {
      database.assertTransaction()
      await database.tables
        .selectFrom('orders')
        .select('id')
        .where('user_id', '=', userId)
        .where('payment', '!=', 'unpaid')
        .orderBy('id')
        .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
        .execute()
    },

    /** Inside a transaction: locks an order, as `lockOrderOf` does. */
    async lockOrder(orderId: number): Promise<void> {
      database.assertTransaction()
      await database.tables
        .selectFrom('orders')
        .select('id')
        .where('id', '=', orderId)
        .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
        .execute()
    },
  }
}

/** Two columns follow from the payment, the labels and the events: `bookings.carriage` and `orders.handed_over`. */
function createCarriage(database: Database) {
  const { findEvents } = createEvents(database)
  const bagsOf = (orderId: number) =>
    database.tables
      .selectFrom('bookings')
      .innerJoin('orders', 'orders.id', 'bookings.order_id')
      .select(['bookings.id', 'bookings.state', 'bookings.carriage', 'bookings.last_event_at'])
      .select(['bookings.receiver', 'bookings.receiver_phone'])
      .select(['orders.payment', 'orders.handed_over', 'orders.user_id'])
      .where('bookings.order_id', '=', orderId)
      .execute()

  /** Under the lock of the order: the only writer of both columns. @returns where each bag is now */
  async function setCarriage(orderId: number): Promise<ReadonlyMap<number, Carriage>> {
    database.assertTransaction()
    const bags = await bagsOf(orderId)
    const eventsOf = await findEvents(bags.map(({ id }) => id))
    const carriages = new Map<number, Carriage>()
    for (const { id, state, payment, carriage: before, last_event_at: lastBefore } of bags) {
      const events = eventsOf.get(id) ?? []
      const carriage = carriageOf({ isPaid: payment !== 'unpaid', isLabelled: state === 'issued', events })
      carriages.set(id, carriage)
      const last = events.length === 0 ? null : Math.max(...events.map(({ at }) => at))
      if (carriage === before && last === lastBefore) continue
      await database.tables
        .updateTable('bookings')
        .set({ carriage, last_event_at: last })
        .where('id', '=', id)
        .execute()
    }
    const count = handOverCountOf([...carriages.values()])
    if (bags[0]?.handed_over === count) return carriages
    await database.tables
      .updateTable('orders')
      .set({ handed_over: count })
      .where('id', '=', orderId)
      .execute()
    return carriages
  }

  /** Makes the bags of an order void that did not leave their owner's hands. Others keep their carriage. */
  async function endCarriage(orderId: number, forGood: boolean, now: number): Promise<void> {
    const bags = await bagsOf(orderId)
    const eventsOf = await findEvents(bags.map(({ id }) => id))
    for (const { id, carriage } of bags) {
      if (carriage === 'void' || carriedOf(eventsOf.get(id) ?? []) !== null) continue
      await recordEvent(
        { database },
        {
          kind: 'bag-void',
          data: { forGood },
          by: { kind: 'system' },
          at: now,
          orderId,
          bookingId: id,
        },
      )
    }
    await setCarriage(orderId)
  }

  return {
    setCarriage,

    /** Under the lock of an order that was cancelled or whose money goes back. */
    makeVoid: (orderId: number, now: number) => endCarriage(orderId, false, now),

    /** Under the lock of an order whose owner deletes the account. */
    giveUpBags: (orderId: number, now: number) => endCarriage(orderId, true, now),

    /**
     * Under the lock of an order whose refund was written off: takes back the last `makeVoid`. A bag that arrived meanwhile has
     * messages of it.
     */
    async makeValid(orderId: number): Promise<void> {
      const bags = await bagsOf(orderId)
      const events = await listEvents(
        { database },
        'booking_id',
        bags.map(({ id }) => id),
      )
      const made = new Map<number, number | undefined>()
      for (const { id } of bags) {
        const last = events.findLast(
          ({ bookingId, kind }) => bookingId === id && (kind === 'bag-void' || kind === 'bag-valid'),
        )
        if (last?.kind === 'bag-void' && !last.data.forGood)
          made.set(
            id,
            await recordEvent(
              { database },
              { kind: 'bag-valid', data: {}, by: { kind: 'system' }, orderId, bookingId: id },
            ),
          )
      }
      const carriages = await setCarriage(orderId)
      for (const bag of bags) {
        const id = made.get(bag.id)
        if (id === undefined) continue
        const after = carriages.get(bag.id) ?? bag.carriage
        await writeMessages(
          { database },
          { id, kind: 'bag-valid', data: {}, orderId, bookingId: bag.id, userId: bag.user_id },
          {
            carriage: carriageNewsOf(stateOfCarriage[bag.carriage], stateOfCarriage[after]),
            hasReceiver: isToldTo(bag),
          },
        )
      }
    },
  }
}

/** What a change of a bag's state is to its owner: only the newest of several steps at once. */
export function carriageNewsOf(
  before: TravelState | null,
  after: TravelState | null,
): CarriageNews | undefined {
  if (after === before) return undefined
  if (after === 'AT_BRANCH') return 'at-branch'
  if (after === 'COLLECTED') return 'collected'
  if (after === 'EXCEPTION') return 'exception'
  if (isHandedOver(after) === isHandedOver(before)) return undefined
  return isHandedOver(after) ? 'handed-over' : 'given-back'
}
