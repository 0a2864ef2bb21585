import type { Core } from '#server/core.ts'

/** @param reference an airway bill, the reference of a shipment or of a payment, or the id of a transaction */
export async function findOrdersByReference(
  { database: { tables } }: Core,
  reference: string,
): Promise<number[]> {
  const ofBookings = (column: 'awb' | 'reference') =>
    tables.selectFrom('bookings').select('order_id').where(column, '=', reference)
  const rows = await ofBookings('awb')
    .unionAll(ofBookings('reference'))
    .unionAll(tables.selectFrom('payment_attempts').select('order_id').where('reference', '=', reference))
    .unionAll(
      tables
        .selectFrom('payment_events')
        .innerJoin('payment_attempts', 'payment_attempts.id', 'payment_events.attempt_id')
        .select('payment_attempts.order_id')
        .where('payment_events.transaction_id', '=', reference),
    )
    .execute()
  return [...new Set(rows.map(({ order_id }) => order_id))]
}
