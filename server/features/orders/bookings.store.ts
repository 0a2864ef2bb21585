import { sql } from 'kysely'
import { type Acting, type NewEvent, personalReason, recordEvents } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import { preparedFirst, preparedForEach } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { BookingState } from '#shared/orders/orders.schemas.ts'
import { carriagesOnTheWay } from '#shared/orders/travel.rules.ts'
import { bookingsAtOnce, type OpenBookingState } from './orders.rules.ts'

export type BookingRow = Row<'bookings'>

/** Who collects a bag, as its booking has it. */
export type ReceiverColumns = Pick<BookingRow, 'receiver_name' | 'receiver_phone' | 'second_phone'>

export type NewBooking = Pick<BookingRow, 'leg' | 'reference' | 'origin' | 'destination'> &
  Partial<ReceiverColumns>

/** Whom the partner is told to hand the bag to. */
export interface Consignee {
  readonly name: string
  /** Null where the owner has named none: the owner's. */
  readonly phone: string | null
  readonly secondPhone: string | null
}

export interface ReleaseOptions {
  /** False: the work under the lease does not count as a try. */
  readonly isTry?: boolean
}

/** Bookings: one shipment of an order each. A worker leases a booking before it works on it. */
export function createBookingsStore(database: Database) {
  return { ...createReads(database), ...createWork(database), ...createCreations(database) }
}

function createReads(database: Database) {
  const bookings = () => database.tables.selectFrom('bookings').selectAll()
  const ofAwb = preparedFirst<{ awb: string }, BookingRow>(database, (given) =>
    bookings().where('awb', '=', given('awb')),
  )
  const withOrders = () =>
    database.tables.selectFrom('bookings').innerJoin('orders', 'orders.id', 'bookings.order_id')

  return {
    /** Bookings of the orders, by order and leg. */
    findBookings: preparedForEach<number, BookingRow>(database, (orderIds) =>
      bookings().where('order_id', 'in', orderIds).orderBy('order_id', 'desc').orderBy('leg'),
    ),

    findBookingByAwb: (awb: string): Promise<BookingRow | undefined> => ofAwb({ awb }),

    /** By the reference that the shipping partner knows it by, with or without an airway bill. */
    findBookingByReference(reference: string): Promise<BookingRow | undefined> {
      return bookings().where('reference', '=', reference).executeTakeFirst()
    },

    /** An order of the user whose airway bill is awaited; undefined when none is. */
    async findAwaitingAwb(userId: number): Promise<number | undefined> {
      const row = await withOrders()
        .select('orders.id')
        .where('orders.user_id', '=', userId)
        .where('bookings.due_at', 'is not', null)
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    /** An order of the user with a bag on its way that was seen after `since`; undefined when there is none. */
    async findTravelling(userId: number, since: number): Promise<number | undefined> {
      const row = await withOrders()
        .select('orders.id')
        .where('orders.user_id', '=', userId)
        .where('bookings.carriage', 'in', carriagesOnTheWay)
        .where('bookings.last_event_at', '>', since)
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    /** Stopped bookings, and others without a label whose order was paid before `paidBefore`; oldest first. */
    listOverdue(paidBefore: number, limit: number) {
      return withOrders()
        .select([
          'bookings.order_id',
          'bookings.reference',
          'bookings.state',
          'bookings.awb',
          'orders.paid_at',
          'bookings.stopped_at',
          'bookings.creations',
          'bookings.last_error',
        ])
        .where('bookings.due_at', 'is not', null)
        .where((expression) =>
          expression.or([
            expression('bookings.stopped_at', 'is not', null),
            expression('orders.paid_at', '<', paidBefore),
          ]),
        )
        .orderBy('orders.paid_at')
        .orderBy('bookings.id')
        .limit(limit)
        .execute()
    },

    /** Paid bookings in a state without label, and when the oldest of them was paid. */
    async readUnissued(state: OpenBookingState): Promise<Backlog> {
      const { count, oldest } = await withOrders()
        .select((rows) => [rows.fn.countAll().as('count'), rows.fn.min('orders.paid_at').as('oldest')])
        .where('bookings.due_at', 'is not', null)
        .where('bookings.state', '=', state)
        .executeTakeFirstOrThrow()
      return { count: Number(count), oldest }
    },

    async countStopped(): Promise<number> {
      const { count } = await database.tables
        .selectFrom('bookings')
        .select((expression) => expression.fn.countAll<number>().as('count'))
        .where('stopped_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

function createWork(database: Database) {
  const { claim, held } = createLeases(database, 'bookings')
  return {
    /** Leases the booking that has been due longest; undefined when none is due. One winner per booking. */
    async leaseBooking(lease: string, now: Moment, until: Moment): Promise<Claimed<'bookings'> | undefined> {
      return (await claim({ lease, now, until, most: bookingsAtOnce }))[0]
    },

    /** Releases a lease and schedules the next try. Changes nothing when the lease was lost. */
    async releaseBooking(
      id: number,
      lease: string,
      dueAt: Moment,
      { isTry = true }: ReleaseOptions = {},
    ): Promise<void> {
      await held(id, lease)
        .set((booking) => ({
          ...released(dueAt),
          tries: booking('tries', '-', isTry ? 0 : 1),
        }))
        .execute()
    },

    /** Stores why a try failed; false when the last one failed for the same reason, or the lease was lost. */
    async setLastError(id: number, lease: string, reason: string): Promise<boolean> {
      return database.wins(
        held(id, lease)
          .set({ last_error: reason })
          .where((booking) =>
            booking.or([booking('last_error', 'is', null), booking('last_error', '!=', reason)]),
          ),
      )
    },

    /**
     * Stores the airway bill number. The booking then waits for its label file; that of a void bag ends. Returns its
     * state and the phone of its receiver; undefined when the lease was lost. `receiver`: the name on it; null where none of
     * our creations made it (a look-up has found it after a restore), so that it may name another person.
     */
    async setAwb(
      id: number,
      lease: string,
      awb: string,
    ): Promise<Pick<BookingRow, 'state' | 'receiver' | 'receiver_phone'> | undefined> {
      return held(id, lease)
        .set({
          awb,
          state: sql<BookingState>`case when creations_allowed = 0 then 'canceled' else 'labelling' end`,
          due_at: sql<number | null>`case when creations_allowed = 0 then null else due_at end`,
          stopped_at: null,
          last_error: null,
        })
        .where('awb', 'is', null)
        .returning(['state', 'receiver', 'receiver_phone'])
        .executeTakeFirst()
    },
  }
}

/** Creations of shipments at the partner: counted, limited, and of uncertain outcome until looked up. */
function createCreations(database: Database) {
  const { held } = createLeases(database, 'bookings')
  return {
    /**
     * Counts a creation before the partner is asked for it. Returns the consignee: whom the owner has named, else the owner;
     * the name is that of an earlier creation of this booking, where there was one. Undefined, and nothing counted, when the
     * lease was lost or has run out, the order was refunded, or no further creation is allowed.
     */
    async beginCreation(
      id: number,
      lease: string,
      uncertainUntil: Moment,
      ownerName: string,
    ): Promise<Consignee | undefined> {
      const won = await held(id, lease)
        .set((expression) => ({
          uncertain_until: uncertainUntil,
          requested_at: sql<number>`coalesce(requested_at, ${database.now()})`,
          creations: expression('creations', '+', 1),
          receiver: expression.fn.coalesce('receiver', 'receiver_name', expression.val(ownerName)),
        }))
        // The machine may have been suspended since the booking was leased.
        .where('leased_until', '>', database.now())
        // The order may have been refunded since then.
        .where('state', '=', 'waiting')
        .whereRef('creations', '<', 'creations_allowed')
        .returning(['receiver', 'receiver_phone', 'second_phone'])
        .executeTakeFirst()
      return (
        won && {
          name: won.receiver ?? ownerName,
          phone: won.receiver_phone,
          secondPhone: won.second_phone,
        }
      )
    },

    /** Uncounts a creation that certainly made nothing. If it was the only one, there is nothing to look up. */
    async undoCreation(id: number, lease: string, now: Moment = database.now()): Promise<void> {
      await held(id, lease)
        .set((expression) => ({
          creations: expression('creations', '-', 1),
          // The cast: PostgreSQL takes a parameter inside a `case` for text.
          uncertain_until: sql<number>`case when creations > 1 then cast(${now} as bigint) else 0 end`,
          receiver: sql<string | null>`case when creations > 1 then receiver end`,
          requested_at: sql<number | null>`case when creations > 1 then requested_at end`,
        }))
        .where('creations', '>', 0)
        .execute()
    },

    /** Stores when a look-up that finds nothing becomes conclusive. Changes nothing when the lease was lost. */
    async setUncertainUntil(id: number, lease: string, uncertainUntil: Moment): Promise<void> {
      await held(id, lease).set({ uncertain_until: uncertainUntil }).execute()
    },

    /**
     * Stops a booking for an operator. Returns how many creations were begun; undefined when it is stopped already, its lease
     * was lost or it is not `waiting`.
     */
    async stopBooking(id: number, lease: string, now: number): Promise<number | undefined> {
      const stopped = await held(id, lease)
        .set({ stopped_at: now })
        .where('state', '=', 'waiting')
        .where('stopped_at', 'is', null)
        // A void bag waits for no operator.
        .where('creations_allowed', '>', 0)
        .returning('creations')
        .executeTakeFirst()
      return stopped?.creations
    },

    /**
     * Inside a transaction: allows one more creation to each stopped booking of an order, under any lease; returns their
     * references. A second call changes nothing until they stop again.
     */
    async permitCreation(orderId: number, { by, reason }: Acting): Promise<string[]> {
      database.assertTransaction()
      const permitted = await database.tables
        .updateTable('bookings')
        .set((expression) => ({
          creations_allowed: expression('creations', '+', 1),
          stopped_at: null,
          // Takes the lease away, so that a worker that is just looking up cannot postpone the next try.
          ...released(database.now()),
        }))
        .where('order_id', '=', orderId)
        .where('state', '=', 'waiting')
        .where('stopped_at', 'is not', null)
        .returning(['id', 'reference', 'creations', 'creations_allowed'])
        .execute()
      const events = permitted.map(
        (bag) =>
          ({
            kind: 'label-permitted',
            data: {
              changed: { 'allowed creations': [bag.creations, bag.creations_allowed] },
              personal: personalReason(reason),
            },
            by,
            orderId,
            bookingId: bag.id,
          }) satisfies NewEvent,
      )
      await recordEvents({ database }, events)
      return permitted.map(({ reference }) => reference).sort()
    },
  }
}
