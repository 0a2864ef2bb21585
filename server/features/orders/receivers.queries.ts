import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { PrunedPage } from '#server/platform/database/pieces.ts'
import type { ReceiverColumns } from './bookings.queries.ts'

// A receiver collects the bags in place of the owner. All bookings of an order have the same receiver.

// SQL that uses a partial index must contain literals, not parameters.
const hasReceiver = sql<boolean>`(receiver_name IS NOT NULL OR second_phone IS NOT NULL)`

function updateReceiver({ database }: QueryCore, orderId: number, change: Partial<ReceiverColumns>) {
  database.assertTransaction()
  return database.tables.updateTable('bookings').set(change).where('order_id', '=', orderId)
}

/**
 * Needs a transaction. Changes only bookings for which the partner was never asked for a shipment, by
 * `uncertain_until`: after a restore a booking without an airway bill can have a shipment. `countCreation` writes this
 * column, so a simultaneous creation and change cannot both succeed.
 * @returns how many bookings changed. When the order has more, the caller must roll the transaction back
 */
export const setReceiver = (
  core: QueryCore,
  orderId: number,
  change: Partial<ReceiverColumns>,
): Promise<number> =>
  core.database.changes(
    updateReceiver(core, orderId, change)
      .where('uncertain_until', '=', 0)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('orders')
            .select('orders.id')
            .where('orders.id', '=', orderId)
            .where((order) =>
              order.or([
                order('orders.payment', '=', 'unpaid').and('orders.ended', 'is', null),
                order('orders.payment', '!=', 'unpaid').and('orders.handed_over', '!=', 'void'),
              ]),
            ),
        ),
      ),
  )

/** Needs a transaction. Changes bags that have not reached their branch. */
export const setPrintedReceiver = (
  core: QueryCore,
  orderId: number,
  change: Partial<ReceiverColumns>,
): Promise<number> =>
  core.database.changes(
    updateReceiver(core, orderId, change).where('carriage', 'not in', ['at-branch', 'collected', 'void']),
  )

export async function deleteReceivers(
  { database }: QueryCore,
  before: number,
  limit: number,
): Promise<PrunedPage> {
  const oldest = await database.tables
    .selectFrom('bookings')
    .innerJoin('orders', 'orders.id', 'bookings.order_id')
    .select(['bookings.id', 'orders.created_at'])
    .where(hasReceiver)
    .orderBy('bookings.order_id')
    .limit(limit)
    .execute()
  const old = oldest.filter(({ created_at }) => created_at < before).map(({ id }) => id)
  if (old.length > 0)
    await database.tables
      .updateTable('bookings')
      .set({
        receiver: sql<string | null>`case when receiver_name is null then receiver end`,
        receiver_name: null,
        receiver_phone: null,
        second_phone: null,
      })
      .where('id', 'in', old)
      .execute()
  return {
    rows: old.length,
    reached: old.at(-1) ?? 0,
    more: old.length === limit,
  }
}
