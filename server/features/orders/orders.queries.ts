import { sql } from 'kysely'
import { deleteEventsOfOrders, recordEvents } from '#server/features/history/history.ts'
import type { QueryCore, TimedCore } from '#server/platform/core.ts'
import type { Moment } from '#server/platform/database/leases.ts'
import { prepared, preparedFirst, preparedForEach } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { endCreations, isMoneyGoingBack, resumeCreations } from './cancellation.queries.ts'
import { lockOrder, makeValid, makeVoid, setCarriage } from './travel.queries.ts'

// Each UPDATE checks the present state of the order, so that only one of several simultaneous calls succeeds.

export type OrderRow = Row<'orders'>

interface PageRequest {
  readonly before?: number | undefined
  readonly limit: number
}

// SQL that uses a partial index must contain literals, not parameters.
const isUnpaid = sql<boolean>`payment = 'unpaid' AND ended IS NULL`
const isNeverPaid = sql<boolean>`payment = 'unpaid' AND ended IS NOT NULL`

const orders = ({ database }: QueryCore) => database.tables.selectFrom('orders').selectAll()
const updateOrders = ({ database }: QueryCore) => database.tables.updateTable('orders')
const ofUser = (core: QueryCore, userId: number, limit: number) =>
  orders(core).where('user_id', '=', userId).orderBy('id', 'desc').limit(limit)

const newestOf = prepared(ofUser)

export const findOrder = preparedFirst((core: QueryCore, id: number) => orders(core).where('id', '=', id))

export const findOrders = preparedForEach((core: QueryCore, ids: readonly number[]) =>
  orders(core).where('id', 'in', ids),
)

export const listOrdersOfUser = (
  core: QueryCore,
  userId: number,
  { before, limit }: PageRequest,
): Promise<OrderRow[]> =>
  before === undefined
    ? newestOf(core, userId, limit)
    : ofUser(core, userId, limit).where('id', '<', before).execute()

export const listOrdersToHandOver = (core: QueryCore, userId: number): Promise<OrderRow[]> =>
  orders(core)
    .where('user_id', '=', userId)
    .where('payment', '=', 'paid')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('bookings')
          .select('bookings.id')
          .whereRef('bookings.order_id', '=', 'orders.id')
          .where('bookings.carriage', 'in', ['awaiting-label', 'ready']),
      ),
    )
    .orderBy('id')
    .execute()

export const countUnpaidOrders = ({ database }: QueryCore): Promise<number> =>
  database.count(database.tables.selectFrom('orders').where(isUnpaid))

export const listNeverPaid = (
  { database }: QueryCore,
  before: number,
  after: { readonly createdAt: number; readonly id: number },
  limit: number,
): Promise<{ id: number; createdAt: number }[]> =>
  database.tables
    .selectFrom('orders')
    .select(['id', 'created_at as createdAt'])
    .where(isNeverPaid)
    .where('created_at', '<', before)
    .where('created_at', '>=', after.createdAt)
    .where((order) => order.or([order('created_at', '>', after.createdAt), order('id', '>', after.id)]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Needs a transaction. @returns false when the order's state does not allow a payment */
export async function markPaid(
  core: QueryCore,
  id: number,
  transactionId: string,
  now: Moment = core.database.now(),
): Promise<boolean> {
  const { database } = core
  database.assertTransaction()
  const won = await database.wins(
    updateOrders(core)
      .set({
        payment: 'paid',
        ended: null,
        ended_at: null,
        transaction_id: transactionId,
        paid_at: now,
      })
      .where('id', '=', id)
      .where('payment', '=', 'unpaid')
      .where((order) => order.or([order('ended', 'is', null), order('ended', '=', 'expired')])),
  )
  if (!won) return false
  await database.send(
    database.tables
      .updateTable('bookings')
      .set({ state: 'waiting', due_at: database.now() })
      .where('order_id', '=', id)
      .where('state', '=', 'none'),
  )
  await setCarriage(core, id)
  return true
}

/**
 * Needs a transaction, after the whole payment was returned. Bags that were not handed over become void.
 * @returns false when the order was not paid by this transaction
 */
export async function markRefunded(core: TimedCore, id: number, transactionId: string): Promise<boolean> {
  const { database, clock } = core
  database.assertTransaction()
  const won = await database.wins(
    updateOrders(core)
      .set({ payment: 'returned' })
      .where('id', '=', id)
      .where('payment', '=', 'paid')
      .where('transaction_id', '=', transactionId),
  )
  if (!won) return false
  await endCreations(core, id)
  await makeVoid(core, id, clock.now())
  return true
}

/**
 * Needs a transaction that has ordered a refund. When the whole payment is refunded, bags that were not handed over
 * become void.
 */
export async function stopCarriage(core: QueryCore, id: number, now: number): Promise<void> {
  await lockOrder(core, id)
  if (!(await isMoneyGoingBack(core, id))) return
  await endCreations(core, id)
  await makeVoid(core, id, now)
}

/**
 * Needs a transaction that has written a refund off. Lets the bags be carried again, unless the order was cancelled.
 */
export async function resumeCarriage(core: QueryCore, id: number): Promise<void> {
  await lockOrder(core, id)
  const order = await core.database.tables
    .selectFrom('orders')
    .select(['payment', 'ended'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (statusOf(order) !== 'PAID' || (await isMoneyGoingBack(core, id))) return
  await resumeCreations(core, id)
  await makeValid(core, id)
}

const expire = (core: QueryCore) =>
  updateOrders(core).set({ ended: 'expired', ended_at: core.database.now() }).where(isUnpaid).returning('id')

async function recordExpired(core: QueryCore, expired: readonly { readonly id: number }[]) {
  const events = expired.map(
    ({ id }) => ({ kind: 'order-expired', data: {}, by: { kind: 'system' }, orderId: id }) as const,
  )
  await recordEvents(core, events)
  return expired.length
}

/** A later payment can still pay the expired order. @returns true for the one call that expired it */
export const markExpired = (core: QueryCore, id: number): Promise<boolean> =>
  core.database.transaction(
    async () => (await recordExpired(core, await expire(core).where('id', '=', id).execute())) > 0,
  )

/** Needs a transaction. */
export async function expireCreatedBefore(core: QueryCore, before: number, limit: number): Promise<number> {
  const { database } = core
  database.assertTransaction()
  const oldest = database.tables
    .selectFrom('orders as unpaid')
    .select('unpaid.id')
    .where(isUnpaid)
    .where('unpaid.created_at', '<', before)
    .orderBy('unpaid.created_at')
    .limit(limit)
  // A locked row is skipped, because it is being paid or expired. The subquery is an array, because PostgreSQL can run
  // a subquery behind IN once per row and then exceed the limit.
  const isOldest =
    database.engine === 'postgres'
      ? sql<boolean>`id = ANY(ARRAY(${oldest.forUpdate().skipLocked()}))`
      : sql<boolean>`id IN (${oldest})`
  return recordExpired(core, await expire(core).where(isOldest).execute())
}

export const expireOlderThan = (core: TimedCore, ageMs: number, limit: number): Promise<number> =>
  core.database.transaction(() => expireCreatedBefore(core, core.clock.now() - ageMs, limit))

/** Needs a transaction. Orders and amounts stay. */
export async function eraseOrdersOfUser(core: QueryCore, userId: number): Promise<void> {
  const { database } = core
  database.assertTransaction()
  await recordExpired(core, await expire(core).where('user_id', '=', userId).execute())
  const own = database.tables
    .selectFrom('bookings')
    .innerJoin('orders', 'orders.id', 'bookings.order_id')
    .select('bookings.id')
    .where('orders.user_id', '=', userId)
  for (const table of ['labels', 'handover_photos'] as const)
    await database.tables.deleteFrom(table).where('booking_id', 'in', own).execute()
  await database.tables
    .updateTable('bookings')
    .set({ receiver: null, receiver_name: null, receiver_phone: null, second_phone: null })
    .where('order_id', 'in', (query) =>
      query.selectFrom('orders').select('orders.id').where('orders.user_id', '=', userId),
    )
    .execute()
  await database.tables.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute()
}

/** Needs a transaction. */
export async function deleteNeverPaid(core: QueryCore, orderIds: readonly number[]): Promise<number> {
  const { database } = core
  database.assertTransaction()
  if (orderIds.length === 0) return 0
  // The rows are locked, so that no late payment comes before the deletion.
  const won = await updateOrders(core)
    .set((order) => ({ ended: order.ref('ended') }))
    .where('id', 'in', orderIds)
    .where(isNeverPaid)
    .returning('id')
    .execute()
  const ids = won.map(({ id }) => id)
  if (ids.length === 0) return 0
  await deleteEventsOfOrders(core, ids)
  for (const table of ['idempotency_keys', 'bookings'] as const)
    await database.tables.deleteFrom(table).where('order_id', 'in', ids).execute()
  await database.tables.deleteFrom('orders').where('id', 'in', ids).execute()
  return ids.length
}
