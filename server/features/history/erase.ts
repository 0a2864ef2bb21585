import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'

/** Needs the transaction that deletes an account. Erases what people and services wrote outside of `events`. */
export async function eraseWordsAboutOrders({ database }: QueryCore, userId: number): Promise<void> {
  database.assertTransaction()
  const { tables } = database
  const orders = tables.selectFrom('orders').select('orders.id').where('orders.user_id', '=', userId)
  const bookings = tables
    .selectFrom('bookings')
    .select('bookings.id')
    .where('bookings.order_id', 'in', orders)
  const attempts = tables
    .selectFrom('payment_attempts')
    .select('payment_attempts.id')
    .where('payment_attempts.order_id', 'in', orders)
  const noError = { last_error: null }
  await tables.updateTable('bookings').set(noError).where('order_id', 'in', orders).execute()
  await tables.updateTable('tracked_bookings').set(noError).where('booking_id', 'in', bookings).execute()
  await tables
    .updateTable('scan_alerts')
    .set({ code: '', text: null, place: null })
    .where('booking_id', 'in', bookings)
    .execute()
  await tables.updateTable('refunds').set(noError).where('attempt_id', 'in', attempts).execute()
  await tables.updateTable('payment_attempts').set(noError).where('order_id', 'in', orders).execute()
  await tables.updateTable('claims').set(noError).where('order_id', 'in', orders).execute()
  await tables
    .updateTable('approvals')
    .set({ reason: '', decision: null, payload: null })
    .where('order_id', 'in', orders)
    .execute()
  // An approval request for a change of phone number contains the new number.
  await tables
    .updateTable('approvals')
    .set({ payload: null })
    .where('act', '=', 'number')
    .where('about', '=', String(userId))
    .where('order_id', 'is', null)
    .where('state', '=', sql.lit('waiting'))
    .execute()
}
