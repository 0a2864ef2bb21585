import type { Database } from '#server/platform/database/database.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { StoredOrder } from './ledger.ts'

export type OrderAuditStore = ReturnType<typeof createOrderAuditStore>

export function createOrderAuditStore(database: Database) {
  const tables = database.tables
  return {
    async lastOrderId(): Promise<number> {
      const row = await tables
        .selectFrom('orders')
        .select((expression) => expression.fn.max('id').as('last'))
        .executeTakeFirst()
      return Number(row?.last ?? 0)
    },
    async listOrdersAfter(orderId: number): Promise<StoredOrder[]> {
      const rows = await tables
        .with('handovers', (own) =>
          own
            .selectFrom('events')
            .select((expression) => ['booking_id', expression.fn.countAll<number>().as('count')])
            .where('kind', '=', 'received')
            .groupBy('booking_id'),
        )
        .selectFrom('orders')
        .leftJoin('bookings', 'bookings.order_id', 'orders.id')
        .leftJoin('labels', 'labels.booking_id', 'bookings.id')
        .leftJoin('handovers', 'handovers.booking_id', 'bookings.id')
        .select([
          'orders.id',
          'orders.payment',
          'orders.ended',
          'bookings.reference',
          'bookings.awb',
          'bookings.carriage',
          'labels.booking_id',
        ])
        .select('handovers.count')
        .where('orders.id', '>', orderId)
        .orderBy('orders.id')
        .orderBy('bookings.leg')
        .execute()
      return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
        id,
        status: own[0] ? statusOf(own[0]) : '',
        bookings: own.flatMap(({ reference, awb, carriage, booking_id, count }) =>
          reference === null || carriage === null
            ? []
            : [{ reference, awb, carriage, hasLabel: booking_id !== null, handovers: Number(count ?? 0) }],
        ),
      }))
    },
    async countOpenBookings(afterOrderId: number): Promise<number> {
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
