import { sql } from 'kysely'
import { deleteEventsOfOrders, recordEvents } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Moment } from '#server/platform/database/leases.ts'
import { prepared, preparedFirst, preparedForEach } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { createAgentListStore } from './agent-list.store.ts'
import { createBagsStore } from './bags.store.ts'
import { createBookingsStore } from './bookings.store.ts'
import { createCancellationsStore } from './cancellations.store.ts'
import { createHandoversStore } from './handovers.store.ts'
import { createLabelsStore } from './labels.store.ts'
import { createOrderCreationStore } from './order-creation.store.ts'
import { createReceiversStore } from './receivers.store.ts'
import { createTravelStore } from './travel.store.ts'

export type OrderRow = Row<'orders'>

interface PageRequest {
  /** Only orders with a smaller number. */
  readonly before?: number
  readonly limit: number
}

export type OrdersStore = ReturnType<typeof createOrdersStore>

/** Orders with their bookings, labels and idempotency keys. Money is halalas, times are epoch milliseconds. */
export function createOrdersStore(database: Database) {
  return {
    ...createBookingsStore(database),
    ...createBagsStore(database),
    ...createLabelsStore(database),
    ...createOrderCreationStore(database),
    ...createCancellationsStore(database),
    ...createTravelStore(database),
    ...createHandoversStore(database),
    ...createReceiversStore(database),
    ...createReads(database),
    ...createAgentListStore(database),
    ...createTransitions(database),
    ...createDeletions(database),
  }
}

// Literals, so that the database sees that a partial index covers the query.
const isUnpaid = sql<boolean>`payment = 'unpaid' AND ended IS NULL`
const isNeverPaid = sql<boolean>`payment = 'unpaid' AND ended IS NOT NULL`

function createReads(database: Database) {
  const orders = () => database.tables.selectFrom('orders').selectAll()
  const ofId = preparedFirst<{ id: number }, OrderRow>(database, (given) =>
    orders().where('id', '=', given('id')),
  )
  const ofUser = (userId: number, limit: number) =>
    orders().where('user_id', '=', userId).orderBy('id', 'desc').limit(limit)
  const newestOf = prepared<{ userId: number; limit: number }, OrderRow>(database, (given) =>
    ofUser(given('userId'), given('limit')),
  )
  return {
    findOrder: (id: number): Promise<OrderRow | undefined> => ofId({ id }),

    findOrders: preparedForEach<number, OrderRow>(database, (ids) => orders().where('id', 'in', ids)),

    /** Orders of a user, newest first. */
    listOfUser: (userId: number, { before, limit }: PageRequest): Promise<OrderRow[]> =>
      before === undefined
        ? newestOf({ userId, limit })
        : ofUser(userId, limit).where('id', '<', before).execute(),

    /** Paid orders of a user with a bag that was not handed over, the oldest first. */
    listUnused(userId: number): Promise<OrderRow[]> {
      return orders()
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
    },

    /** How many orders wait for their payment. */
    async countUnpaid(): Promise<number> {
      const { count } = await database.tables
        .selectFrom('orders')
        .select((order) => order.fn.countAll().as('count'))
        .where(isUnpaid)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /**
     * Orders that ended unpaid, expired or cancelled, and were created before `before`; the oldest first, after the given
     * one.
     */
    async listNeverPaid(
      before: number,
      after: { readonly createdAt: number; readonly id: number },
      limit: number,
    ): Promise<{ id: number; createdAt: number }[]> {
      const rows = await database.tables
        .selectFrom('orders')
        .select(['id', 'created_at'])
        .where(isNeverPaid)
        .where('created_at', '<', before)
        .where('created_at', '>=', after.createdAt)
        .where((order) => order.or([order('created_at', '>', after.createdAt), order('id', '>', after.id)]))
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id, created_at }) => ({ id, createdAt: created_at }))
    },
  }
}

function createTransitions(database: Database) {
  const updateOrders = () => database.tables.updateTable('orders')
  const travel = createTravelStore(database)
  const cancellations = createCancellationsStore(database)

  /** Inside a transaction: records that the orders expired; returns how many there are. */
  async function recordExpired(orders: readonly { readonly id: number }[]): Promise<number> {
    const events = orders.map(
      ({ id }) => ({ kind: 'order-expired', data: {}, by: { kind: 'system' }, orderId: id }) as const,
    )
    await recordEvents({ database }, events)
    return orders.length
  }

  return {
    /**
     * Inside a transaction: marks a payable order as paid and queues its bookings; false when it is not payable. One
     * winner.
     */
    async markPaid(id: number, transactionId: string, now: Moment = database.now()): Promise<boolean> {
      database.assertTransaction()
      const won = await database.wins(
        updateOrders()
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
      await database.tables
        .updateTable('bookings')
        .set({ state: 'waiting', due_at: database.now() })
        .where('order_id', '=', id)
        .where('state', '=', 'none')
        .execute()
      await travel.setCarriage(id)
      return true
    },

    /**
     * Inside a transaction: stores that the payment of an order went back whole; its bags that were not handed over become
     * void. False when this payment did not pay it.
     */
    async markRefunded(id: number, transactionId: string, now: number): Promise<boolean> {
      database.assertTransaction()
      const won = await database.wins(
        updateOrders()
          .set({ payment: 'returned' })
          .where('id', '=', id)
          .where('payment', '=', 'paid')
          .where('transaction_id', '=', transactionId),
      )
      if (!won) return false
      await cancellations.endCreations(id)
      await travel.makeVoid(id, now)
      return true
    },

    /**
     * Inside a transaction that has ordered a refund: when the whole payment of the order goes back, its bags that were not
     * handed over become void.
     */
    async stopCarriage(id: number, now: number): Promise<void> {
      await travel.lockOrder(id)
      if (!(await cancellations.isMoneyGoingBack(id))) return
      await cancellations.endCreations(id)
      await travel.makeVoid(id, now)
    },

    /** Inside a transaction that has written a refund off: the bags are carried again, unless the order was cancelled. */
    async resumeCarriage(id: number): Promise<void> {
      await travel.lockOrder(id)
      const order = await database.tables
        .selectFrom('orders')
        .select(['payment', 'ended'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (statusOf(order) !== 'PAID' || (await cancellations.isMoneyGoingBack(id))) return
      await cancellations.resumeCreations(id)
      await travel.makeValid(id)
    },

    /** Expires an unpaid order; false when it is not unpaid. */
    async markExpired(id: number): Promise<boolean> {
      const expired = await database.transaction(async () =>
        recordExpired(
          await updateOrders()
            .set({ ended: 'expired', ended_at: database.now() })
            .where('id', '=', id)
            .where(isUnpaid)
            .returning('id')
            .execute(),
        ),
      )
      return expired > 0
    },

    /**
     * Inside a transaction: expires at most `limit` unpaid orders created before `before`, the oldest first; returns how many.
     */
    async expireCreatedBefore(before: number, limit: number): Promise<number> {
      database.assertTransaction()
      const oldest = database.tables
        .selectFrom('orders as unpaid')
        .select('unpaid.id')
        .where(isUnpaid)
        .where('unpaid.created_at', '<', before)
        .orderBy('unpaid.created_at')
        .limit(limit)
      return recordExpired(
        await updateOrders()
          .set({ ended: 'expired', ended_at: database.now() })
          .where(
            // A locked row is being paid or expired at this moment. An array, because PostgreSQL may read a subquery behind
            // IN anew for each row, which then skips what this statement has changed and passes the limit.
            database.engine === 'postgres'
              ? sql<boolean>`id = ANY(ARRAY(${oldest.forUpdate().skipLocked()}))`
              : sql<boolean>`id IN (${oldest})`,
          )
          .where(isUnpaid)
          .returning('id')
          .execute(),
      )
    },

    /** Inside a transaction: expires every unpaid order of a user; returns how many. */
    async expireOfUser(userId: number): Promise<number> {
      database.assertTransaction()
      return recordExpired(
        await updateOrders()
          .set({ ended: 'expired', ended_at: database.now() })
          .where('user_id', '=', userId)
          .where(isUnpaid)
          .returning('id')
          .execute(),
      )
    },
  }
}

function createDeletions(database: Database) {
  const bookingsOf = (userId: number) =>
    database.tables
      .selectFrom('bookings')
      .innerJoin('orders', 'orders.id', 'bookings.order_id')
      .select('bookings.id')
      .where('orders.user_id', '=', userId)

  return {
    /**
     * Deletes the label files, the names printed on them, receivers and idempotency keys of a user; the orders stay. What people
     * wrote in events: `eraseEvents`.
     */
    async eraseUser(userId: number): Promise<void> {
      await database.tables.deleteFrom('labels').where('booking_id', 'in', bookingsOf(userId)).execute()
      await database.tables
        .updateTable('bookings')
        .set({ receiver: null, receiver_name: null, receiver_phone: null, second_phone: null })
        .where('order_id', 'in', (query) =>
          query.selectFrom('orders').select('orders.id').where('orders.user_id', '=', userId),
        )
        .execute()
      await database.tables.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute()
    },

    /**
     * Inside a transaction: deletes those of the orders that ended unpaid, with their bookings and keys; returns how many.
     */
    async deleteNeverPaid(orderIds: readonly number[]): Promise<number> {
      database.assertTransaction()
      if (orderIds.length === 0) return 0
      // Setting a column to itself locks the rows, so that no late payment is applied in between.
      const won = await database.tables
        .updateTable('orders')
        .set((order) => ({ ended: order.ref('ended') }))
        .where('id', 'in', orderIds)
        .where(isNeverPaid)
        .returning('id')
        .execute()
      const ids = won.map(({ id }) => id)
      if (ids.length === 0) return 0
      await deleteEventsOfOrders({ database }, ids)
      for (const table of ['idempotency_keys', 'bookings'] as const)
        await database.tables.deleteFrom(table).where('order_id', 'in', ids).execute()
      await database.tables.deleteFrom('orders').where('id', 'in', ids).execute()
      return ids.length
    },
  }
}
