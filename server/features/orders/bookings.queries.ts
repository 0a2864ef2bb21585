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

// Each booking is one shipment of an order. A worker leases a booking before it works on it. A worker that has lost the
// lease changes nothing.

/** A bag without an event for this long was lost, or was collected without a scan. */
const unseenMs = 30 * 24 * 60 * 60_000

export type BookingRow = Row<'bookings'>

export type ReceiverColumns = Pick<BookingRow, 'receiver_name' | 'receiver_phone' | 'second_phone'>

export type NewBooking = Pick<BookingRow, 'leg' | 'reference' | 'origin' | 'destination'> &
  Partial<ReceiverColumns>

export interface Consignee {
  readonly name: string
  /** The phone on the airway bill; null when it is the owner's. */
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

export const findBooking = preparedFirst((core: QueryCore, id: number) => bookings(core).where('id', '=', id))

/** The order of an airway bill. */
export const findOrderByAwb = preparedFirst(({ database }: QueryCore, awb: string) =>
  database.tables
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', (query) =>
      query.selectFrom('bookings').select('bookings.order_id').where('bookings.awb', '=', awb),
    ),
)

/** Finds a booking with or without an airway bill. */
export const findBookingByReference = (core: QueryCore, reference: string): Promise<BookingRow | undefined> =>
  bookings(core).where('reference', '=', reference).executeTakeFirst()

const oneOfUser = (core: QueryCore, userId: number) =>
  withOrders(core).select('orders.id').where('orders.user_id', '=', userId).limit(1)

export const awaitsAwb = (core: QueryCore, userId: number): Promise<boolean> =>
  core.database.has(oneOfUser(core, userId).where('bookings.due_at', 'is not', null))

/** True when a bag of the user is on its way. A bag without an event for a month does not count. */
export const hasTravellingBag = (core: TimedCore, userId: number): Promise<boolean> =>
  core.database.has(
    oneOfUser(core, userId)
      .where('bookings.carriage', 'in', carriagesOnTheWay)
      .where('bookings.last_event_at', '>', core.clock.now() - unseenMs),
  )

/**
 * Lists escalated bookings, and bookings without a label whose order was paid before `paidBefore`; the oldest payment
 * comes first.
 */
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

/** Counts the paid bookings in this state, and reads when the oldest of them was paid. */
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

/** Counts bookings with an airway bill and without a label file. */
export const readUnlabelled = (core: QueryCore): Promise<Backlog> => readOpen(core, 'labelling')

export const countStopped = ({ database }: QueryCore): Promise<number> =>
  database.count(database.tables.selectFrom('bookings').where('stopped_at', 'is not', null))

/** Leases the booking that has been due longest. Only one of several callers gets it. */
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
 * Stores the airway bill. The booking then waits for its label file, or ends when its bag is void.
 * @returns `receiver`: the name on the airway bill; null when a look-up after a restore found the airway bill, which
 * may name another person. Undefined when the lease was lost
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
 * Counts the creation of a shipment before the partner is asked. A second creation names the same person as the first
 * one.
 * @returns undefined, without counting, when the lease was lost or has expired, the order was refunded, or no further
 * creation is allowed
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
    // The machine may have been suspended since the booking was leased, so that the lease has expired.
    .where('leased_until', '>', now)
    // The order may have been refunded since the booking was leased.
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

/**
 * Takes back the count of a creation that certainly made no shipment. When it was the only one, the partner has no
 * shipment to look up.
 */
export async function undoCreation(
  core: QueryCore,
  id: number,
  lease: string,
  now: Moment = core.database.now(),
): Promise<void> {
  await held(core, id, lease)
    .set((expression) => ({
      creations: expression('creations', '-', 1),
      // PostgreSQL reads a parameter inside a `case` as text, so it needs a cast.
      uncertain_until: sql<number>`case when creations > 1 then cast(${now} as bigint) else 0 end`,
      receiver: sql<string | null>`case when creations > 1 then receiver end`,
      requested_at: sql<number | null>`case when creations > 1 then requested_at end`,
    }))
    .where('creations', '>', 0)
    .execute()
}

/** From `ms` milliseconds on, a look-up that finds nothing proves that no shipment exists. */
export async function markUncertain(core: QueryCore, id: number, lease: string, ms: number): Promise<void> {
  await held(core, id, lease)
    .set({ uncertain_until: core.database.now(ms) })
    .execute()
}

/**
 * Escalates the booking to an operator.
 * @returns the number of shipments that it tried to create; undefined when it is escalated already, is not `waiting` or
 * belongs to a void bag, or its lease was lost
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
    // The booking of a void bag is never escalated.
    .where('creations_allowed', '>', 0)
    .returning('creations')
    .executeTakeFirst()
  return escalated?.creations
}

/**
 * Inside a transaction: lets each escalated booking of an order create one more shipment, also while a worker has
 * leased it.
 * @returns the references of these bookings
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
      // The lease ends, so that a worker that is just looking up the shipment cannot postpone the next try.
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
