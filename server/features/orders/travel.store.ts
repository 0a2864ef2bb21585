import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { EventState, HandOverCount } from '#shared/orders/travel.rules.ts'
import { travelStates } from '#shared/orders/travel.schemas.ts'

export type BookingEventRow = Row<'booking_events'>

/** An event to record. */
export type NewEvent = Pick<BookingEventRow, 'event_key' | 'kind' | 'source' | 'at'> &
  Partial<Pick<BookingEventRow, 'place' | 'code' | 'text'>>

/** The states that `bookings.travel_state` holds; the others follow from the label. */
export const storedTravelStates = travelStates.filter(
  (state) => state !== 'AWAITING_LABEL' && state !== 'READY',
)

/** Key of the cancellation, which a booking has at most once. */
const cancellationKey = 'system:cancelled'

/** What happened to bags after payment. */
export function createTravelStore(database: Database) {
  return { ...createEvents(database), ...createTravelTransitions(database) }
}

function createEvents(database: Database) {
  return {
    /** Events of the bookings, per booking in the order of recording. */
    async findEvents(bookingIds: readonly number[]): Promise<ReadonlyMap<number, BookingEventRow[]>> {
      if (bookingIds.length === 0) return new Map()
      const rows = await database.tables
        .selectFrom('booking_events')
        .selectAll()
        .where('booking_id', 'in', bookingIds)
        .execute()
      // Sorted here: the index holds the events of a booking by their key.
      return Map.groupBy(
        rows.toSorted((a, b) => a.id - b.id),
        (row) => row.booking_id,
      )
    },

    /** Stores an event of a booking; false when it is stored already. */
    async insertEvent(bookingId: number, event: NewEvent, now: number): Promise<boolean> {
      return database.wins(
        database.tables
          .insertInto('booking_events')
          .values({ ...event, booking_id: bookingId, recorded_at: now })
          .onConflict((conflict) => conflict.columns(['booking_id', 'event_key']).doNothing()),
      )
    },
  }
}

function createTravelTransitions(database: Database) {
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
          .select(['id', 'user_id', 'status', 'handed_over'])
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
        .where('status', '=', 'PAID')
        .orderBy('id')
        .$if(database.engine === 'postgres', (query) => query.forNoKeyUpdate())
        .execute()
    },

    /**
     * The agent takes a bag: false unless the order is paid. Against a cancellation, which demands `handed_over = 'none'`
     * of the same row, one of the two wins. The exact count follows with the event (`setTravel`).
     */
    async markHandedOver(orderId: number): Promise<boolean> {
      return database.wins(
        database.tables
          .updateTable('orders')
          .set({ handed_over: 'some' })
          .where('id', '=', orderId)
          .where('status', '=', 'PAID'),
      )
    },

    /** Under the lock of `lockOrderOf`: stores what follows from the events of a booking. */
    async setTravel(bookingId: number, state: EventState | null, lastEventAt: number): Promise<void> {
      await database.tables
        .updateTable('bookings')
        .set({ travel_state: state, last_event_at: lastEventAt })
        .where('id', '=', bookingId)
        .execute()
    },

    /** Under the lock of `lockOrderOf`. */
    async setHandedOver(orderId: number, count: HandOverCount): Promise<void> {
      await database.tables
        .updateTable('orders')
        .set({ handed_over: count })
        .where('id', '=', orderId)
        .execute()
    },

    /**
     * Under the lock of the order, which was withdrawn or given up: its bags that were not handed over will not travel.
     * Others keep their state.
     */
    async cancelBookings(orderId: number, now: number): Promise<void> {
      const cancelled = await database.tables
        .updateTable('bookings')
        .set({ travel_state: 'CANCELLED', last_event_at: now })
        .where('order_id', '=', orderId)
        .where('travel_state', 'is', null)
        .returning('id')
        .execute()
      if (cancelled.length === 0) return
      await database.tables
        .insertInto('booking_events')
        .values(
          cancelled.map(({ id }) => ({
            booking_id: id,
            event_key: cancellationKey,
            kind: 'cancelled' as const,
            source: 'system' as const,
            at: now,
            recorded_at: now,
          })),
        )
        .onConflict((conflict) => conflict.columns(['booking_id', 'event_key']).doNothing())
        .execute()
    },
  }
}
