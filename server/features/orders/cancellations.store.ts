import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import type { BookingState } from '#shared/orders/orders.schemas.ts'

/** Cancelling orders, and payments that arrive after it. */
export function createCancellationsStore(database: Database) {
  return {
    /**
     * Cancels an order of the user none of whose bags was handed over: an unpaid one, or one that was paid at `paidSince`
     * or later (null: none that is paid). Returns the transaction that paid it, null for none; undefined when the order
     * cannot be cancelled. One winner.
     */
    markCancelled(
      id: number,
      userId: number,
      paidSince: number | null,
      now: Moment = database.now(),
    ): Promise<{ transactionId: string | null } | undefined> {
      return database.tables
        .updateTable('orders')
        .set({ status: 'CANCELLED', cancelled_at: now })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('handed_over', '=', 'none')
        .where((order) =>
          order.or([
            order('status', '=', 'PENDING_PAYMENT'),
            ...(paidSince === null
              ? []
              : [order.and([order('status', '=', 'PAID'), order('paid_at', '>=', paidSince)])]),
          ]),
        )
        .returning('transaction_id as transactionId')
        .executeTakeFirst()
    },

    /** Halalas of all compensations of each order that has any, also of closings that were undone. */
    async sumCompensated(orderIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
      if (orderIds.length === 0) return new Map()
      const rows = await database.tables
        .selectFrom('claims')
        .innerJoin('claim_events', 'claim_events.claim_id', 'claims.id')
        .select('claims.order_id')
        .select((row) => row.fn.sum<number | null>('claim_events.compensated_halalas').as('sum'))
        .where('claims.order_id', 'in', orderIds)
        .groupBy('claims.order_id')
        .execute()
      return new Map(
        rows.flatMap(({ order_id: id, sum }) => (Number(sum ?? 0) > 0 ? [[id, Number(sum)]] : [])),
      )
    },

    /**
     * Binds a payment to an order that was cancelled before it was paid; false when it was not, or has a payment. The
     * order stays cancelled until this payment is refunded. One winner.
     */
    async markPaidLate(id: number, transactionId: string): Promise<boolean> {
      return database.wins(
        database.tables
          .updateTable('orders')
          // Not `paid_at`: no label was promised, and the order's agent never sees it.
          .set({ transaction_id: transactionId })
          .where('id', '=', id)
          .where('status', '=', 'CANCELLED')
          .where('transaction_id', 'is', null),
      )
    },

    /**
     * Allows no further creation for the bookings of a withdrawn order, and awaits no label. A booking whose shipment may
     * exist stays open until a look-up knows: an airway bill that was issued is stored.
     */
    async endCreations(orderId: number): Promise<void> {
      const isCertain = sql<boolean>`state = 'labelling' OR uncertain_until = 0`
      await database.tables
        .updateTable('bookings')
        .set({
          state: sql<BookingState>`case when ${isCertain} then 'canceled' else state end`,
          creations_allowed: 0,
          stopped_at: null,
          due_at: sql<number | null>`case when ${isCertain} then null else ${database.now()} end`,
        })
        .where('order_id', '=', orderId)
        .where('due_at', 'is not', null)
        .execute()
    },

    /** Ends a booking of a withdrawn order whose look-up found no shipment; false for another, or when the lease was lost. */
    async endBooking(id: number, lease: string): Promise<boolean> {
      return database.wins(
        createLeases(database, 'bookings')
          .held(id, lease)
          .set({ ...released(null), state: 'canceled' })
          .where('state', '=', 'waiting')
          .where('creations_allowed', '=', 0),
      )
    },
  }
}
