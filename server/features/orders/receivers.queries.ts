import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { PrunedPage } from '#server/platform/database/pieces.ts'
import type { ReceiverColumns } from './bookings.queries.ts'

// Who collects the bags of an order, where that is not its owner. It stands in each of its bookings.

// A literal, so that the database sees that the partial index covers the query.
const hasReceiver = sql<boolean>`(receiver_name IS NOT NULL OR second_phone IS NOT NULL)`

/** Changes the receiver of an order's bookings, of which the caller selects some. */
function updateReceiver({ database }: QueryCore, orderId: number, change: Partial<ReceiverColumns>) {
  database.assertTransaction()
  return database.tables.updateTable('bookings').set(change).where('order_id', '=', orderId)
}

/**
 * Inside a transaction: changes the receiver in the bookings of an order that is paid or may be, whose shipment the partner was
 * never asked for. A restored booking without an airway bill may have one (after-restore.ts): it is too late, too. Against
 * `countCreation` one of the two wins, by `uncertain_until` of the row that both write.
 * @returns how many bookings there are. Fewer than the order has: too late, and the transaction must be rolled back
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

/**
 * Inside a transaction: changes the receiver although airway bills may be printed, which stay as they are.
 * @returns how many bags the order has that did not reach their branch
 */
export const setPrintedReceiver = (
  core: QueryCore,
  orderId: number,
  change: Partial<ReceiverColumns>,
): Promise<number> =>
  core.database.changes(
    updateReceiver(core, orderId, change).where('carriage', 'not in', ['at-branch', 'collected', 'void']),
  )

/** Deletes the receivers, their names on airway bills and other numbers of `limit` orders created before `before`. */
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
