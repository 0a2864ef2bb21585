import type { Core } from '#server/core.ts'

type Database = Pick<Core, 'database'>

/** The state of an order and of its bags, which the timeline does not show. Undefined for an unknown order. */
export async function readOrderState({ database: { tables } }: Database, orderId: number) {
  const order = await tables.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirst()
  if (!order) return undefined
  const bookings = await tables
    .selectFrom('bookings')
    .leftJoin('tracked_bookings', 'tracked_bookings.booking_id', 'bookings.id')
    .select(['bookings.id', 'bookings.leg', 'bookings.reference', 'bookings.stopped_at'])
    .select(['bookings.creations', 'bookings.last_error'])
    .select(['tracked_bookings.heard_at', 'tracked_bookings.checked_at'])
    .where('bookings.order_id', '=', orderId)
    .execute()
  const openAlerts = await tables
    .selectFrom('scan_alerts')
    .innerJoin('bookings', 'bookings.id', 'scan_alerts.booking_id')
    .select(['bookings.leg', 'scan_alerts.kind', 'scan_alerts.noticed_at'])
    .where('bookings.order_id', '=', orderId)
    .where('scan_alerts.closed_at', 'is', null)
    .execute()
  return { order, bookings, openAlerts }
}

/** Other orders of an owner, the newest first. */
export async function listOtherOrders(
  { database }: Database,
  userId: number,
  orderId: number,
  limit: number,
) {
  const rows = await database.tables
    .selectFrom('orders')
    .select(['id', 'payment', 'ended', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.filter(({ id }) => id !== orderId).slice(0, limit)
}
