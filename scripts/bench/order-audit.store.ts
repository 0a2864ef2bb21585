import type { Database } from '#server/platform/database/database.ts'
import type { StoredOrder } from './ledger.ts'

/** The stored orders, read beside the gateway, because a response does not prove what was stored. */
export interface OrderAuditStore {
  lastOrderId(): Promise<number>
  /** Orders with a greater number, with their payments and bookings. */
  listOrdersAfter(orderId: number): Promise<StoredOrder[]>
  /** Paid bookings of these orders without airway bill or label. */
  countOpenBookings(afterOrderId: number): Promise<number>
}

export function createOrderAuditStore(database: Database): OrderAuditStore {
  const tables = database.tables
  return {
    async lastOrderId() {
      const row = await tables
        .selectFrom('orders')
        .select((expression) => expression.fn.max('id').as('last'))
        .executeTakeFirst()
      return Number(row?.last ?? 0)
    },
    async listOrdersAfter(orderId) {
      const rows = await tables
        .selectFrom('orders')
        .leftJoin('bookings', 'bookings.order_id', 'orders.id')
        .leftJoin('labels', 'labels.booking_id', 'bookings.id')
        .select(['orders.id', 'orders.status', 'bookings.reference', 'bookings.awb', 'labels.booking_id'])
        .where('orders.id', '>', orderId)
        .orderBy('orders.id')
        .orderBy('bookings.leg')
        .execute()
      return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
        id,
        status: own[0]?.status ?? '',
        bookings: own.flatMap(({ reference, awb, booking_id }) =>
          reference === null ? [] : [{ reference, awb, hasLabel: booking_id !== null }],
        ),
      }))
    },
    async countOpenBookings(afterOrderId) {
      const { open } = await tables
        .selectFrom('bookings')
        .select((expression) => expression.fn.countAll<number>().as('open'))
        .where('order_id', '>', afterOrderId)
        .where('state', 'in', ['waiting', 'labelling'])
        .executeTakeFirstOrThrow()
      return Number(open)
    },
  }
}
