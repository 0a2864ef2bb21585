import { sql } from 'kysely'
import { type Acting, type NewEvent, personalReason, recordEvents } from '#server/features/history/history.ts'
import type { QueryCore, TimedCore } from '#server/platform/core.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import { preparedFirst, preparedForEach } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { BookingState } from '#shared/orders/orders.schemas.ts'
import { carriagesOnTheWay } from '#shared/orders/travel.rules.ts'
import { bookingsAtOnce, type OpenBookingState } from './orders.rules.ts'

// One shipment of an order each. A worker leases a booking before it works on it: nothing is changed when the lease was
// lost.

/** A bag without a scan for this long is lost or was collected unseen. */
const unseenMs = 30 * 24 * 60 * 60_000

export type BookingRow = Row<'bookings'>

export type ReceiverColumns = Pick<BookingRow, 'receiver_name' | 'receiver_phone' | 'second_phone'>

export type NewBooking = Pick<BookingRow, 'leg' | 'reference' | 'origin' | 'destination'> &
  Partial<ReceiverColumns>

export interface Consignee {
  readonly name: string
  /** Null stands for the owner's phone. */
  readonly phone: string | null
  readonly secondPhone: string | null
}

export interface ReleaseOptions {
  /** False when the work does not count as a try. */
  readonly isTry?: boolean
}

const bookings = ({ database }: QueryCore) => database.tables.selectFrom('bookings').selectAll()

const withOrders = ({ database }: QueryCore) =>
  database.tables.selectFrom('bookings').innerJoin('orders', 'orders.id', 'bookings.order_id')

const held = ({ database }: QueryCore, id: number, lease: string) =>
  createLeases(database, 'bookings').held(id, lease)

export const findBookings = preparedForEach((core: QueryCore, orderIds: readonly number[]) =>
  bookings(core).where('order_id', 'in', orderIds).orderBy('order_id', 'desc').orderBy('leg'),
)

export const listBookingIds = async (core: QueryCore, orderId: number): Promise<number[]> =>
  (await findBookings(core, [orderId])).map(({ id }) => id)

export const findBookingByAwb = preparedFirst((core: QueryCore, awb: string) =>
  bookings(core).where('awb', '=', awb),
)

/** The reference is the partner's key, with or without an airway bill. */
export const findBookingByReference = (core: QueryCore, reference: string): Promise<BookingRow | undefined> =>
  bookings(core).where('reference', '=', reference).executeTakeFirst()

const oneOfUser = (core: QueryCore, userId: number) =>
  withOrders(core).select('orders.id').where('orders.user_id', '=', userId).limit(1)

export const awaitsAwb = (core: QueryCore, userId: number): Promise<boolean> =>
  core.database.has(oneOfUser(core, userId).where('bookings.due_at', 'is not', null))

/** A bag that was not seen for a month holds up nothing. */
export const hasTravellingBag = (core: TimedCore, userId: number): Promise<boolean> =>
  core.database.has(
    oneOfUser(core, userId)
      .where('bookings.carriage', 'in', carriagesOnTheWay)
      .where('bookings.last_event_at', '>', core.clock.now() - unseenMs),
  )

/** Escalated bookings, and others without a label whose order was paid before `paidBefore`; oldest first. */
export const listOverdueBookings = (core: QueryCore, paidBefore: number, limit: number) =>
  withOrders(core)
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

/** Paid bookings, and when the oldest of them was paid. */
async function readOpen(core: QueryCore, state: OpenBookingState): Promise<Backlog> {
  const { count, oldest } = await withOrders(core)
    .select((rows) => [rows.fn.countAll().as('count'), rows.fn.min('orders.paid_at').as('oldest')])
    .where('bookings.due_at', 'is not', null)
    .where('bookings.state', '=', state)
    .executeTakeFirstOrThrow()
  return {
    count: Number(count),
    oldest,
  }
}

export const readUnissued = (core: QueryCore): Promise<Backlog> => readOpen(core, 'waiting')

/** These bookings have an airway bill and no label file. */
export const readUnlabelled = (core: QueryCore): Promise<Backlog> => readOpen(core, 'labelling')

export const countStopped = ({ database }: QueryCore): Promise<number> =>
  database.count(database.tables.selectFrom('bookings').where('stopped_at', 'is not', null))

/** Leases the booking that has been due longest. One caller wins. */
export async function leaseDueBooking(
  { database }: QueryCore,
  lease: string,
  now: Moment,
  until: Moment,
): Promise<Claimed<'bookings'> | undefined> {
  const leases = createLeases(database, 'bookings')
  return (await leases.claim({ lease, now, until, most: bookingsAtOnce }))[0]
}

export async function endLease(
  core: QueryCore,
  id: number,
  lease: string,
  dueAt: Moment,
  { isTry = true }: ReleaseOptions = {},
): Promise<void> {
  await held(core, id, lease)
    .set((booking) => ({
      ...released(dueAt),
      tries: booking('tries', '-', isTry ? 0 : 1),
    }))
    .execute()
}

/** @returns false when the last try failed for the same reason, or the lease was lost */
export const setLastError = (core: QueryCore, id: number, lease: string, reason: string): Promise<boolean> =>
  core.database.wins(
    held(core, id, lease)
      .set({ last_error: reason })
      .where((booking) =>
        booking.or([booking('last_error', 'is', null), booking('last_error', '!=', reason)]),
      ),
  )

/**
 * The booking then waits for its label file; the booking of a void bag ends.
 * @returns `receiver`: the name on the airway bill; null when a look-up found it after a restore, so that it may name
 * another person. undefined when the lease was lost
 */
export const setAwb = (
  core: QueryCore,
  id: number,
  lease: string,
  awb: string,
): Promise<Pick<BookingRow, 'state' | 'receiver' | 'receiver_phone'> | undefined> =>
  held(core, id, lease)
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

/**
 * A creation is counted before the partner is asked. A second one names the person of the first.
 * @returns undefined, and nothing counted, when the lease was lost or has run out, the order was refunded, or no
 * further creation is allowed
 */
export async function countCreation(
  core: QueryCore,
  id: number,
  lease: string,
  uncertainUntil: Moment,
  ownerName: string,
): Promise<Consignee | undefined> {
  const now = core.database.now()
  const won = await held(core, id, lease)
    .set((expression) => ({
      uncertain_until: uncertainUntil,
      requested_at: sql<number>`coalesce(requested_at, ${now})`,
      creations: expression('creations', '+', 1),
      receiver: expression.fn.coalesce('receiver', 'receiver_name', expression.val(ownerName)),
    }))
    // The machine may have been suspended since the booking was leased.
    .where('leased_until', '>', now)
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
}

/** The creation certainly made nothing. If it was the only one, there is nothing to look up. */
export async function undoCreation(
  core: QueryCore,
  id: number,
  lease: string,
  now: Moment = core.database.now(),
): Promise<void> {
  await held(core, id, lease)
    .set((expression) => ({
      creations: expression('creations', '-', 1),
      // The cast: PostgreSQL takes a parameter inside a `case` for text.
      uncertain_until: sql<number>`case when creations > 1 then cast(${now} as bigint) else 0 end`,
      receiver: sql<string | null>`case when creations > 1 then receiver end`,
      requested_at: sql<number | null>`case when creations > 1 then requested_at end`,
    }))
    .where('creations', '>', 0)
    .execute()
}

/** A look-up that finds nothing becomes conclusive in `ms`. */
export async function markUncertain(core: QueryCore, id: number, lease: string, ms: number): Promise<void> {
  await held(core, id, lease)
    .set({ uncertain_until: core.database.now(ms) })
    .execute()
}

/**
 * @returns how many creations were begun; undefined when it is escalated already, its lease was lost or it is not
 * `waiting`
 */
export async function markEscalated(
  core: QueryCore,
  id: number,
  lease: string,
  now: number,
): Promise<number | undefined> {
  const escalated = await held(core, id, lease)
    .set({ stopped_at: now })
    .where('state', '=', 'waiting')
    .where('stopped_at', 'is', null)
    // A void bag waits for no operator.
    .where('creations_allowed', '>', 0)
    .returning('creations')
    .executeTakeFirst()
  return escalated?.creations
}

/**
 * Inside a transaction: lets each escalated booking of an order create one more shipment, also while a worker holds its
 * lease. @returns the references of these bookings
 */
export async function permitCreation(
  core: QueryCore,
  orderId: number,
  { by, reason }: Acting,
): Promise<string[]> {
  const { database } = core
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
  await recordEvents(core, events)
  return permitted.map(({ reference }) => reference).sort()
}
