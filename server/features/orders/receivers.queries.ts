import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { PrunedPage } from '#server/platform/database/pieces.ts'
import type { ReceiverColumns } from './bookings.queries.ts'

// Someone else than the owner collects the bags. Each booking of the order has the same receiver.

// A literal, so that the planner can use the partial index.
const hasReceiver = sql<boolean>`(receiver_name IS NOT NULL OR second_phone IS NOT NULL)`

function updateReceiver({ database }: QueryCore, orderId: number, change: Partial<ReceiverColumns>) {
  database.assertTransaction()
  return database.tables.updateTable('bookings').set(change).where('order_id', '=', orderId)
}

/**
 * Inside a transaction: in the bookings whose shipment the partner was never asked for. A restored booking without an
 * airway bill may have one (after-restore.ts): it is too late, too. Against `countCreation` one of the two wins, by
 * `uncertain_until` of the row that both write.
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
 * Inside a transaction: airway bills may be printed, and stay as they are.
 * @returns how many bags of the order did not reach their branch
 */
export const setPrintedReceiver = (
  core: QueryCore,
  orderId: number,
  change: Partial<ReceiverColumns>,
): Promise<number> =>
  core.database.changes(
    updateReceiver(core, orderId, change).where('carriage', 'not in', ['at-branch', 'collected', 'void']),
  )

/** The names on airway bills and other numbers go, too. `limit` orders that were created before `before` are changed. */
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
