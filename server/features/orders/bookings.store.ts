import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { BookingState } from '#shared/orders/orders.schemas.ts'
import { movingStates } from '#shared/orders/travel.rules.ts'
import { openBookingStates } from './orders.rules.ts'

export type BookingRow = Row<'bookings'>

export interface NewBooking {
  readonly leg: number
  readonly reference: string
  readonly origin: string
  readonly destination: string
}

/** A booking that needs an operator's attention. */
interface OverdueRow {
  readonly order_id: number
  readonly reference: string
  readonly state: BookingState
  readonly awb: string | null
  readonly paid_at: number | null
  readonly stopped_at: number | null
  readonly creations: number
  readonly reason: string | null
}

export interface ReleaseOptions {
  /** False: the work under the lease does not count as a try. */
  readonly isTry?: boolean
  /** Why the try failed; without it the last reason stays. */
  readonly reason?: string | undefined
}

// Literals, so that SQLite sees that the partial index over open bookings covers the query.
const isOpen = openBookingStates.map((state) => sql.lit<BookingState>(state))

/** Bookings: one shipment of an order each. A worker leases a booking before it works on it. */
export function createBookingsStore(database: Database) {
  return { ...createReads(database), ...createLeases(database), ...createCreations(database) }
}

function createReads(database: Database) {
  const withOrders = () =>
    database.tables().selectFrom('bookings').innerJoin('orders', 'orders.id', 'bookings.order_id')

  return {
    /** Bookings of the orders, by order and leg. */
    async findBookings(orderIds: readonly number[]): Promise<BookingRow[]> {
      if (orderIds.length === 0) return []
      return database
        .tables()
        .selectFrom('bookings')
        .selectAll()
        .where('order_id', 'in', [...orderIds])
        .orderBy('order_id', 'desc')
        .orderBy('leg')
        .execute()
    },

    findBookingByAwb(awb: string): Promise<BookingRow | undefined> {
      return database.tables().selectFrom('bookings').selectAll().where('awb', '=', awb).executeTakeFirst()
    },

    /** By the reference that the shipping partner knows it by, with or without an airway bill. */
    findBookingByReference(reference: string): Promise<BookingRow | undefined> {
      return database
        .tables()
        .selectFrom('bookings')
        .selectAll()
        .where('reference', '=', reference)
        .executeTakeFirst()
    },

    /** An order of the user whose airway bill is awaited; undefined when none is. */
    async findAwaitingAwb(userId: number): Promise<number | undefined> {
      const row = await withOrders()
        .select('orders.id')
        .where('orders.user_id', '=', userId)
        .where('bookings.state', 'in', isOpen)
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    /** An order of the user with a bag on its way that was seen after `since`; undefined when there is none. */
    async findTravelling(userId: number, since: number): Promise<number | undefined> {
      const row = await withOrders()
        .select('orders.id')
        .where('orders.user_id', '=', userId)
        .where('bookings.travel_state', 'in', [...movingStates])
        .where('bookings.last_event_at', '>', since)
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    /** Stopped bookings, and others without a label whose order was paid before `paidBefore`; oldest first. */
    listOverdue(paidBefore: number, limit: number): Promise<OverdueRow[]> {
      return withOrders()
        .select([
          'bookings.order_id',
          'bookings.reference',
          'bookings.state',
          'bookings.awb',
          'orders.paid_at',
          'bookings.stopped_at',
          'bookings.creations',
          'bookings.reason',
        ])
        .where('bookings.state', 'in', isOpen)
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
    async readUnissued(state: (typeof openBookingStates)[number]): Promise<Backlog> {
      const { count, oldest } = await withOrders()
        .select((rows) => [rows.fn.countAll().as('count'), rows.fn.min('orders.paid_at').as('oldest')])
        // Both conditions: the first one lets the index over open bookings serve the query.
        .where('bookings.state', 'in', isOpen)
        .where('bookings.state', '=', state)
        .executeTakeFirstOrThrow()
      return { count: Number(count), oldest }
    },

    async countStopped(): Promise<number> {
      const { count } = await database
        .tables()
        .selectFrom('bookings')
        .select((expression) => expression.fn.countAll<number>().as('count'))
        .where('stopped_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

function createLeases(database: Database) {
  return {
    /** Leases the booking that has been due longest; undefined when none is due. One winner per booking. */
    leaseBooking(lease: string, now: number, leaseUntil: number): Promise<BookingRow | undefined> {
      return database
        .tables()
        .updateTable('bookings')
        .set((expression) => ({ lease, lease_until: leaseUntil, tries: expression('tries', '+', 1) }))
        .where('id', '=', (query) =>
          query
            .selectFrom('bookings as due')
            .select('due.id')
            .where('due.state', 'in', isOpen)
            .where('due.next_try_at', '<=', now)
            .where('due.lease_until', '<=', now)
            .orderBy('due.next_try_at')
            .orderBy('due.id')
            .limit(1)
            // PostgreSQL: skip a row that another gateway is leasing instead of waiting for it.
            .$if(database.engine === 'postgres', (inner) => inner.forUpdate().skipLocked()),
        )
        .returningAll()
        .executeTakeFirst()
    },

    /** Releases a lease and schedules the next try. Changes nothing when the lease was lost. */
    async releaseBooking(
      id: number,
      lease: string,
      nextTryAt: number,
      { isTry = true, reason }: ReleaseOptions = {},
    ): Promise<void> {
      await database
        .tables()
        .updateTable('bookings')
        .set((expression) => ({
          lease: null,
          lease_until: 0,
          next_try_at: nextTryAt,
          tries: expression('tries', '-', isTry ? 0 : 1),
          ...(reason === undefined ? {} : { reason }),
        }))
        .where('id', '=', id)
        .where('lease', '=', lease)
        .execute()
    },

    /** Ends every lease of an open booking; returns how many. */
    async freeLeases(): Promise<number> {
      const { numUpdatedRows } = await database
        .tables()
        .updateTable('bookings')
        .set({ lease: null, lease_until: 0 })
        .where('state', 'in', isOpen)
        .where('lease', 'is not', null)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    /**
     * Stores the airway bill number. The booking then waits for its label file; that of a withdrawn order ends. Returns its
     * state; undefined when the lease was lost.
     */
    async setAwb(id: number, lease: string, awb: string): Promise<BookingState | undefined> {
      const won = await database
        .tables()
        .updateTable('bookings')
        .set({
          awb,
          state: sql<BookingState>`case when creations_allowed = 0 then 'canceled' else 'labelling' end`,
          stopped_at: null,
          reason: null,
        })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .where('awb', 'is', null)
        .returning('state')
        .executeTakeFirst()
      return won?.state
    },
  }
}

/** Creations of shipments at the partner: counted, limited, and of uncertain outcome until looked up. */
function createCreations(database: Database) {
  return {
    /**
     * Counts a creation before the partner is asked for it. Returns the receiver's name: `receiver`, or the name of an
     * earlier creation of this booking. Undefined, and nothing counted, when the lease was lost, the order was refunded,
     * or no further creation is allowed.
     */
    async beginCreation(
      id: number,
      lease: string,
      uncertainUntil: number,
      receiver: string,
    ): Promise<string | undefined> {
      const won = await database
        .tables()
        .updateTable('bookings')
        .set((expression) => ({
          uncertain_until: uncertainUntil,
          creations: expression('creations', '+', 1),
          receiver: expression.fn.coalesce('receiver', expression.val(receiver)),
        }))
        .where('id', '=', id)
        .where('lease', '=', lease)
        // The order may have been refunded since the booking was leased.
        .where('state', '=', 'waiting')
        .whereRef('creations', '<', 'creations_allowed')
        .returning('receiver')
        .executeTakeFirst()
      return won?.receiver ?? undefined
    },

    /** Uncounts a creation that certainly made nothing. If it was the only one, there is nothing to look up. */
    async undoCreation(id: number, lease: string, now: number): Promise<void> {
      await database
        .tables()
        .updateTable('bookings')
        .set((expression) => ({
          creations: expression('creations', '-', 1),
          // The cast: PostgreSQL takes a parameter inside a `case` for text.
          uncertain_until: sql<number>`case when creations > 1 then cast(${now} as bigint) else 0 end`,
          receiver: sql<string | null>`case when creations > 1 then receiver end`,
        }))
        .where('id', '=', id)
        .where('lease', '=', lease)
        .where('creations', '>', 0)
        .execute()
    },

    /** Stores when a look-up that finds nothing becomes conclusive. Changes nothing when the lease was lost. */
    async setUncertainUntil(id: number, lease: string, uncertainUntil: number): Promise<void> {
      await database
        .tables()
        .updateTable('bookings')
        .set({ uncertain_until: uncertainUntil })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .execute()
    },

    /** Stops a booking for an operator; false when it is stopped already, its lease was lost or it is not `waiting`. */
    async stopBooking(id: number, lease: string, now: number): Promise<boolean> {
      const won = await database
        .tables()
        .updateTable('bookings')
        .set({ stopped_at: now })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .where('state', '=', 'waiting')
        .where('stopped_at', 'is', null)
        // A withdrawn order waits for no operator.
        .where('creations_allowed', '>', 0)
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },

    /**
     * Allows one more creation to each stopped booking of an order, under any lease; returns their references. A second
     * call changes nothing until they stop again.
     */
    async permitCreation(orderId: number, now: number): Promise<string[]> {
      const permitted = await database
        .tables()
        .updateTable('bookings')
        .set((expression) => ({
          creations_allowed: expression('creations', '+', 1),
          stopped_at: null,
          next_try_at: now,
          // Takes the lease away, so that a worker that is just looking up cannot postpone the next try.
          lease: null,
          lease_until: 0,
        }))
        .where('order_id', '=', orderId)
        .where('state', '=', 'waiting')
        .where('stopped_at', 'is not', null)
        .returning('reference')
        .execute()
      return permitted.map(({ reference }) => reference).sort()
    },
  }
}
