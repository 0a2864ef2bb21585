import { sql } from 'kysely'
import { recordEvents } from '#server/features/history/history.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import type { BookingState } from '#shared/orders/orders.schemas.ts'
import { carriedStates } from '#shared/orders/travel.rules.ts'

export const markCancelled = (
  { database }: QueryCore,
  id: number,
  userId: number,
  paidSince: number | null,
  now: Moment = database.now(),
): Promise<{ transactionId: string | null } | undefined> =>
  database.tables
    .updateTable('orders')
    .set({ ended: 'cancelled', ended_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('ended', 'is', null)
    .where('handed_over', '=', 'none')
    .where((order) =>
      order.or([
        order('payment', '=', 'unpaid'),
        ...(paidSince === null
          ? []
          : [order.and([order('payment', '=', 'paid'), order('paid_at', '>=', paidSince)])]),
      ]),
    )
    .returning('transaction_id as transactionId')
    .executeTakeFirst()

/** Returns the sum in halalas for each order. A reopened claim counts, because its compensation was promised. */
export async function sumCompensated(
  { database }: QueryCore,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (orderIds.length === 0) return new Map()
  const rows = await database.tables
    .selectFrom('claims')
    .innerJoin('compensations', 'compensations.claim_id', 'claims.id')
    .select('claims.order_id')
    .select((row) => row.fn.sum<number>('compensations.halalas').as('sum'))
    .where('claims.order_id', 'in', orderIds)
    .groupBy('claims.order_id')
    .execute()
  return new Map(rows.map(({ order_id: id, sum }) => [id, Number(sum)]))
}

/** A refund that was written off does not count as money that is going back. */
export async function isMoneyGoingBack({ database }: QueryCore, orderId: number): Promise<boolean> {
  const order = await database.tables
    .selectFrom('orders')
    .leftJoin('refunds', (join) =>
      join
        .onRef('refunds.transaction_id', '=', 'orders.transaction_id')
        .on('refunds.written_off_at', 'is', null),
    )
    .select((row) => [
      'orders.payment',
      'orders.amount_halalas',
      row.fn.sum<number | null>('refunds.amount_halalas').as('back'),
    ])
    .where('orders.id', '=', orderId)
    .groupBy(['orders.id', 'orders.payment', 'orders.amount_halalas'])
    .executeTakeFirst()
  if (!order) return false
  return order.payment === 'returned' || Number(order.back ?? 0) >= order.amount_halalas
}

/** A payment arrived after its order was cancelled, so it must be refunded. */
export const bindLatePayment = (
  { database }: QueryCore,
  id: number,
  transactionId: string,
): Promise<boolean> =>
  database.wins(
    database.tables
      .updateTable('orders')
      // `paid_at` stays null, because an agent must not see the order.
      .set({ payment: 'paid', transaction_id: transactionId })
      .where('id', '=', id)
      .where('ended', '=', 'cancelled')
      .where('payment', '=', 'unpaid'),
  )

/**
 * Ends the creation of shipments for void bags. When a shipment possibly exists, the booking stays open until a look-up
 * decides.
 */
export async function endCreations({ database }: QueryCore, orderId: number): Promise<void> {
  const isCertain = sql<boolean>`state = 'labelling' OR uncertain_until = 0`
  await database.send(
    database.tables
      .updateTable('bookings')
      .set({
        state: sql<BookingState>`case when ${isCertain} then 'canceled' else state end`,
        creations_allowed: 0,
        stopped_at: null,
        due_at: sql<number | null>`case when ${isCertain} then null else ${database.now()} end`,
      })
      .where('order_id', '=', orderId)
      .where('due_at', 'is not', null)
      .where('carriage', 'not in', carriedStates),
  )
}

/** Needs a transaction that has written a refund off. */
export async function resumeCreations(core: QueryCore, orderId: number): Promise<void> {
  const { database } = core
  database.assertTransaction()
  const resumed = await database.tables
    .updateTable('bookings')
    .set({
      state: sql<BookingState>`case when awb is null then 'waiting' else 'labelling' end`,
      creations_allowed: sql<number>`case when creations < 2 then 2 else creations + 1 end`,
      ...released(database.now()),
    })
    .where('order_id', '=', orderId)
    .where('state', 'in', ['waiting', 'canceled'])
    .where('creations_allowed', '=', 0)
    .returning(['id', 'state'])
    .execute()
  const events = resumed
    .filter(({ state }) => state === 'waiting')
    .map(
      ({ id: bookingId }) =>
        ({ kind: 'label-permitted', data: {}, by: { kind: 'system' }, orderId, bookingId }) as const,
    )
  await recordEvents(core, events)
}

/**
 * Call it only after a look-up has found no shipment. @returns false when the bag is not void, or the lease was lost
 */
export const endBooking = ({ database }: QueryCore, id: number, lease: string): Promise<boolean> =>
  database.wins(
    createLeases(database, 'bookings')
      .held(id, lease)
      .set({ ...released(null), state: 'canceled' })
      .where('state', '=', 'waiting')
      .where('creations_allowed', '=', 0),
  )
