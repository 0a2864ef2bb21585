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

// A booking is one shipment (one bag) of an order. A worker must lease it first; after it has lost the lease, its
// statements change nothing.

/** A bag without an event for a month is lost, or was collected without a scan. */
const unseenMs = 30 * 24 * 60 * 60_000

export type BookingRow = Row<'bookings'>

export type ReceiverColumns = Pick<BookingRow, 'receiver_name' | 'receiver_phone' | 'second_phone'>

export type NewBooking = Pick<BookingRow, 'leg' | 'reference' | 'origin' | 'destination'> &
  Partial<ReceiverColumns>

export interface Consignee {
  readonly name: string
  /** Null when the airway bill shows the owner's phone. */
  readonly phone: string | null
  readonly secondPhone: string | null
}

export interface ReleaseOptions {
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

export const findOrderByAwb = preparedFirst(({ database }: QueryCore, awb: string) =>
  database.tables
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', (query) =>
      query.selectFrom('bookings').select('bookings.order_id').where('bookings.awb', '=', awb),
    ),
)

export const findBookingByReference = (core: QueryCore, reference: string): Promise<BookingRow | undefined> =>
  bookings(core).where('reference', '=', reference).executeTakeFirst()

const oneOfUser = (core: QueryCore, userId: number) =>
  withOrders(core).select('orders.id').where('orders.user_id', '=', userId).limit(1)

export const awaitsAwb = (core: QueryCore, userId: number): Promise<boolean> =>
  core.database.has(oneOfUser(core, userId).where('bookings.due_at', 'is not', null))

export const hasTravellingBag = (core: TimedCore, userId: number): Promise<boolean> =>
  core.database.has(
    oneOfUser(core, userId)
      .where('bookings.carriage', 'in', carriagesOnTheWay)
      .where('bookings.last_event_at', '>', core.clock.now() - unseenMs),
  )

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

export const readUnlabelled = (core: QueryCore): Promise<Backlog> => readOpen(core, 'labelling')

export const countStopped = ({ database }: QueryCore): Promise<number> =>
  database.count(database.tables.selectFrom('bookings').where('stopped_at', 'is not', null))

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

export const setLastError = (core: QueryCore, id: number, lease: string, reason: string): Promise<boolean> =>
  core.database.wins(
    held(core, id, lease)
      .set({ last_error: reason })
      .where((booking) =>
        booking.or([booking('last_error', 'is', null), booking('last_error', '!=', reason)]),
      ),
  )

/**
 * @returns undefined when the lease was lost; `receiver` is null when the airway bill was found after a restore,
 * because another name can be printed on it
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
 * The second call for a booking returns the same name as the first.
 * @returns undefined when no shipment must be created
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
    // A suspended machine can wake up after its lease has expired.
    .where('leased_until', '>', now)
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

/** Call it only when the partner certainly created no shipment. */
export async function undoCreation(
  core: QueryCore,
  id: number,
  lease: string,
  now: Moment = core.database.now(),
): Promise<void> {
  await held(core, id, lease)
    .set((expression) => ({
      creations: expression('creations', '-', 1),
      // PostgreSQL reads a parameter inside `case` as text, so it needs a cast.
      uncertain_until: sql<number>`case when creations > 1 then cast(${now} as bigint) else 0 end`,
      receiver: sql<string | null>`case when creations > 1 then receiver end`,
      requested_at: sql<number | null>`case when creations > 1 then requested_at end`,
    }))
    .where('creations', '>', 0)
    .execute()
}

/** Only a look-up that is made at least `ms` milliseconds from now proves that no shipment exists. */
export async function markUncertain(core: QueryCore, id: number, lease: string, ms: number): Promise<void> {
  await held(core, id, lease)
    .set({ uncertain_until: core.database.now(ms) })
    .execute()
}

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
    .where('creations_allowed', '>', 0)
    .returning('creations')
    .executeTakeFirst()
  return escalated?.creations
}

/** Needs a transaction. Lets each escalated booking of the order create one more shipment. */
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
      // Ends the worker's lease, so that a running look-up cannot postpone the next try.
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
