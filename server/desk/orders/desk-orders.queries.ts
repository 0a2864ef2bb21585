import { sql } from 'kysely'
import type { Core } from '#server/core.ts'
import { idsByName, type Needle } from '#server/platform/database/name-index.ts'
import { statusConditions } from '#server/platform/database/order-status.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { phoneEndOf } from '#server/platform/database/search-text.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'

// Every statement in this file must use an index.

export type OrderRow = Row<'orders'>
export type PersonRow = Pick<Row<'users'>, 'id' | 'name' | 'phone' | 'created_at'>

interface PersonKey {
  readonly phone?: string | undefined
  readonly phoneEnd?: string | undefined
  readonly name?: Needle | undefined
}

export interface Cursor {
  readonly createdAt: number
  readonly id: number
}

export interface OrderFilter {
  readonly status?: OrderStatus | undefined
  readonly agent?: string | undefined
  readonly centers?: readonly string[] | undefined
  readonly since: number
  readonly before: Cursor
  readonly limit: number
}

const endOf = (column: 'phone' | 'receiver_phone' | 'second_phone') =>
  sql<string>`${sql.raw(phoneEndOf(column))}`

export async function findPeople(
  { database: { engine, tables } }: Core,
  { phone, phoneEnd, name }: PersonKey,
  limit: number,
): Promise<PersonRow[]> {
  const people = tables
    .selectFrom('users')
    .select(['id', 'name', 'phone', 'created_at'])
    .where('deleted_at', 'is', null)
  if (phone !== undefined) return people.where('phone', '=', phone).execute()
  if (phoneEnd !== undefined)
    return people.where(endOf('phone'), '=', phoneEnd).orderBy('id', 'desc').limit(limit).execute()
  if (name === undefined) return []
  const rows = await people.where('id', 'in', idsByName(engine, 'users', name, limit)).execute()
  return rows.toSorted((one, other) => other.id - one.id)
}

export async function findOrdersOfReceiver(
  { database: { engine, tables } }: Core,
  { phone, phoneEnd, name }: PersonKey,
  limit: number,
): Promise<number[]> {
  const bookings = tables.selectFrom('bookings').select(['id', 'order_id'])
  const end = phone?.slice(-4) ?? phoneEnd
  const listByPhone = async (column: 'receiver_phone' | 'second_phone') =>
    end === undefined
      ? []
      : bookings
          .where(column, 'is not', null)
          .where(endOf(column), '=', end)
          .$if(phone !== undefined, (query) => query.where(column, '=', phone ?? ''))
          .orderBy('id', 'desc')
          .limit(limit)
          .execute()
  const byName =
    name === undefined
      ? []
      : await bookings.where('id', 'in', idsByName(engine, 'bookings', name, limit)).execute()
  const rows = [...(await listByPhone('receiver_phone')), ...(await listByPhone('second_phone')), ...byName]
  return [...new Set(rows.map(({ order_id }) => order_id))].sort((one, other) => other - one).slice(0, limit)
}

export async function findOrders({ database }: Core, ids: readonly number[]): Promise<OrderRow[]> {
  if (ids.length === 0) return []
  return database.tables.selectFrom('orders').selectAll().where('id', 'in', ids).execute()
}

export async function listOrdersOfOwners(
  { database }: Core,
  userIds: readonly number[],
  limit: number,
): Promise<OrderRow[]> {
  if (userIds.length === 0) return []
  return database.tables
    .selectFrom('orders')
    .selectAll()
    .where('user_id', 'in', userIds)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function listOrders(
  { database }: Core,
  { centers, limit, status, agent, since, before }: OrderFilter,
): Promise<OrderRow[]> {
  if (centers?.length === 0) return []
  // Each branch has its own SELECT and the status is a literal, so that the databases use the partial indexes.
  const ordersOf = (center: string | undefined) =>
    database.tables
      .selectFrom('orders')
      .selectAll()
      .where('created_at', '>=', since)
      .where(sql<boolean>`(created_at, id) < (${before.createdAt}, ${before.id})`)
      .$if(status !== undefined, (query) => query.where(sql.raw<boolean>(statusConditions[status ?? 'PAID'])))
      .$if(agent !== undefined, (query) => query.where('agent_code', '=', agent ?? ''))
      .$if(center !== undefined, (query) => query.where('center_code', '=', center ?? ''))
  const [first, ...rest]: readonly (string | undefined)[] = centers ?? [undefined]
  return rest
    .reduce((query, center) => query.unionAll(ordersOf(center)), ordersOf(first))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function listBags({ database }: Core, orderIds: readonly number[]) {
  const bags = database.tables
    .selectFrom('bookings')
    .select(['order_id', 'leg', 'awb', 'carriage', 'last_event_at', 'origin', 'destination'])
    .where('order_id', 'in', orderIds)
    .orderBy('order_id', 'desc')
    .orderBy('leg')
  return Map.groupBy(orderIds.length === 0 ? [] : await bags.execute(), (bag) => bag.order_id)
}

export async function sumReturned(
  { database }: Core,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const sums = new Map<number, number>()
  if (orderIds.length === 0) return sums
  const rows = await database.tables
    .selectFrom('refunds')
    .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
    .select(['payment_attempts.order_id', 'refunds.amount_halalas'])
    .where('payment_attempts.order_id', 'in', orderIds)
    .where('refunds.state', '=', 'done')
    .where('refunds.written_off_at', 'is', null)
    .where('refunds.currency', '=', 'SAR')
    .execute()
  for (const { order_id, amount_halalas } of rows)
    sums.set(order_id, (sums.get(order_id) ?? 0) + amount_halalas)
  return sums
}

export async function readOrderState({ database: { tables } }: Core, orderId: number) {
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
