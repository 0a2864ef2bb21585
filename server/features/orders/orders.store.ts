import type { Generated, Selectable } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { BookingType, OrderStatus } from '#shared/orders/orders.schemas.ts'
import { type BookingState, openBookingStates, payableStatuses } from './orders.rules.ts'

interface OrdersTable {
  id: Generated<number>
  user_id: number
  type: BookingType
  status: OrderStatus
  amount_halalas: number
  currency: string
  agent_code: string
  center_code: string
  transaction_id: string | null
  created_at: number
  paid_at: number | null
}

interface BookingsTable {
  id: Generated<number>
  order_id: number
  leg: number
  reference: string
  /** JSON of a Place, as it was when the order was placed. */
  origin: string
  destination: string
  awb: string | null
  state: BookingState
  tries: number
  next_try_at: number
  lease: string | null
  lease_until: number
  /** 0: the partner has never been asked. Else it may hold a shipment; after this time a look-up is the last word. */
  in_doubt_until: Generated<number>
}

interface LabelsTable {
  booking_id: number
  pdf: Uint8Array
  stored_at: number
}

interface IdempotencyTable {
  user_id: number
  key: string
  body_hash: string
  order_id: number
  created_at: number
}

interface OrdersTables {
  orders: OrdersTable
  bookings: BookingsTable
  labels: LabelsTable
  idempotency_keys: IdempotencyTable
}

export type OrderRow = Selectable<OrdersTable>
export type BookingRow = Selectable<BookingsTable>

export interface NewOrder {
  readonly userId: number
  readonly type: BookingType
  readonly amountHalalas: number
  readonly currency: string
  readonly agentCode: string
  readonly centerCode: string
  readonly createdAt: number
}

export interface NewBooking {
  readonly leg: number
  readonly reference: string
  readonly origin: string
  readonly destination: string
}

export interface PageRequest {
  /** Only orders with a smaller number. */
  readonly before?: number
  readonly limit: number
}

/** What the orders room needs remembered. Money is halalas, times are epoch milliseconds. */
export interface OrdersStore {
  /** Keeps an order, unpaid, and its bookings, all or nothing; answers its number. */
  addOrder(order: NewOrder, bookings: readonly NewBooking[]): Promise<number>
  /** Ties a key of the user to an order; `undefined` when tied now, else what it was tied to before. */
  tieKey(
    userId: number,
    key: string,
    bodyHash: string,
    orderId: number,
    now: number,
  ): Promise<{ orderId: number; bodyHash: string } | undefined>
  findKey(userId: number, key: string): Promise<{ orderId: number; bodyHash: string } | undefined>
  findOrder(id: number): Promise<OrderRow | undefined>
  /** Bookings of the orders, by order and leg. */
  findBookings(orderIds: readonly number[]): Promise<BookingRow[]>
  listOfUser(userId: number, page: PageRequest): Promise<OrderRow[]>
  /** Orders an agent has to do with: the paid and the refunded ones, newest first. */
  listOfAgent(agentCode: string, page: PageRequest): Promise<OrderRow[]>
  /** Pays an order and queues its bookings; `false` when it was not payable any more. One winner. */
  markPaid(id: number, transactionId: string, now: number): Promise<boolean>
  /** Takes the payment by this transaction back; `false` when the order is not paid by it. Unissued bookings are canceled. */
  markRefunded(id: number, transactionId: string): Promise<boolean>
  /** Ends the wait for a payment; `false` when the order does not wait any more. */
  markExpired(id: number): Promise<boolean>
  /** Expires what was placed before `before` and still waits; answers how many. */
  expirePlacedBefore(before: number): Promise<number>
  /** Leases the oldest booking that needs the partner; undefined when none is due. One winner per booking. */
  leaseBooking(lease: string, now: number, leaseUntil: number): Promise<BookingRow | undefined>
  /**
   * Gives a lease back with the time of the next try; nothing happens when the lease was lost. `isTry` false: what was
   * done under the lease does not count.
   */
  releaseBooking(id: number, lease: string, nextTryAt: number, isTry?: boolean): Promise<void>
  /** Writes how far the partner's look-up can be trusted; `false` when the lease was lost or the money went back. */
  setDoubt(id: number, lease: string, inDoubtUntil: number): Promise<boolean>
  /** Takes every lease back; answers how many. */
  freeLeases(): Promise<number>
  /** Writes the number; `false` when the lease was lost. The booking then waits for its label file. */
  setAwb(id: number, lease: string, awb: string): Promise<boolean>
  /** Keeps the label once and ends the booking's work; a second file changes nothing. */
  keepLabel(id: number, pdf: Uint8Array, now: number): Promise<void>
  findBookingByAwb(awb: string): Promise<BookingRow | undefined>
  findLabel(bookingId: number): Promise<Uint8Array | undefined>
  /** An order of the user whose airway bill is awaited; undefined when none is. */
  findAwaiting(userId: number): Promise<number | undefined>
  /** Ends every wait of a user for a payment; answers how many. */
  expireOfUser(userId: number): Promise<number>
  /** Deletes the label files and the keys of a user's orders; the orders stay. */
  forgetUser(userId: number): Promise<void>
  /** Which of the bookings have a label file. */
  findLabelled(bookingIds: readonly number[]): Promise<ReadonlySet<number>>
  /** `paid_at` of the oldest paid order with a booking without airway bill; undefined when there is none. */
  findOldestUnissued(): Promise<number | undefined>
}

export function createOrdersStore(database: Database): OrdersStore {
  const tables = () => database.tables<OrdersTables>()

  const findKey: OrdersStore['findKey'] = async (userId, key) => {
    const row = await tables()
      .selectFrom('idempotency_keys')
      .select(['order_id', 'body_hash'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst()
    return row && { orderId: row.order_id, bodyHash: row.body_hash }
  }

  return {
    findKey,
    addOrder: (order, bookings) =>
      database.transaction(async () => {
        const { id } = await tables()
          .insertInto('orders')
          .values({
            user_id: order.userId,
            type: order.type,
            status: 'PENDING_PAYMENT',
            amount_halalas: order.amountHalalas,
            currency: order.currency,
            agent_code: order.agentCode,
            center_code: order.centerCode,
            created_at: order.createdAt,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await tables()
          .insertInto('bookings')
          .values(
            bookings.map((booking) => ({
              ...booking,
              order_id: id,
              state: 'none' as const,
              tries: 0,
              next_try_at: 0,
              lease_until: 0,
            })),
          )
          .execute()
        return id
      }),
    async tieKey(userId, key, bodyHash, orderId, now) {
      const tied = await tables()
        .insertInto('idempotency_keys')
        .values({ user_id: userId, key, body_hash: bodyHash, order_id: orderId, created_at: now })
        .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
        .returning('order_id')
        .executeTakeFirst()
      return tied ? undefined : findKey(userId, key)
    },
    findOrder: (id) => tables().selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst(),
    async findBookings(orderIds) {
      if (orderIds.length === 0) return []
      return tables()
        .selectFrom('bookings')
        .selectAll()
        .where('order_id', 'in', [...orderIds])
        .orderBy('order_id', 'desc')
        .orderBy('leg')
        .execute()
    },
    listOfUser: (userId, { before, limit }) =>
      tables()
        .selectFrom('orders')
        .selectAll()
        .where('user_id', '=', userId)
        .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    listOfAgent: (agentCode, { before, limit }) =>
      tables()
        .selectFrom('orders')
        .selectAll()
        .where('agent_code', '=', agentCode)
        .where('status', 'in', ['PAID', 'REFUNDED'])
        .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    markPaid: (id, transactionId, now) =>
      database.transaction(async () => {
        const won = await tables()
          .updateTable('orders')
          .set({ status: 'PAID', transaction_id: transactionId, paid_at: now })
          .where('id', '=', id)
          .where('status', 'in', [...payableStatuses])
          .returning('id')
          .executeTakeFirst()
        if (!won) return false
        await tables()
          .updateTable('bookings')
          .set({ state: 'waiting', next_try_at: now })
          .where('order_id', '=', id)
          .where('state', '=', 'none')
          .execute()
        return true
      }),
    markRefunded: (id, transactionId) =>
      database.transaction(async () => {
        const won = await tables()
          .updateTable('orders')
          .set({ status: 'REFUNDED' })
          .where('id', '=', id)
          .where('status', '=', 'PAID')
          .where('transaction_id', '=', transactionId)
          .returning('id')
          .executeTakeFirst()
        if (!won) return false
        await tables()
          .updateTable('bookings')
          .set({ state: 'canceled' })
          .where('order_id', '=', id)
          .where('state', '=', 'waiting')
          .execute()
        return true
      }),
    async markExpired(id) {
      const won = await tables()
        .updateTable('orders')
        .set({ status: 'EXPIRED' })
        .where('id', '=', id)
        .where('status', '=', 'PENDING_PAYMENT')
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    async expirePlacedBefore(before) {
      const { numUpdatedRows } = await tables()
        .updateTable('orders')
        .set({ status: 'EXPIRED' })
        .where('status', '=', 'PENDING_PAYMENT')
        .where('created_at', '<', before)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    leaseBooking: (lease, now, leaseUntil) =>
      tables()
        .updateTable('bookings')
        .set((expression) => ({ lease, lease_until: leaseUntil, tries: expression('tries', '+', 1) }))
        .where('id', '=', (query) =>
          query
            .selectFrom('bookings as due')
            .select('due.id')
            .where('due.state', 'in', [...openBookingStates])
            .where('due.next_try_at', '<=', now)
            .where('due.lease_until', '<=', now)
            .orderBy('due.next_try_at')
            .orderBy('due.id')
            .limit(1)
            // PostgreSQL: a neighbour's row is stepped over instead of waited for.
            .$if(database.engine === 'postgres', (inner) => inner.forUpdate().skipLocked()),
        )
        .where('lease_until', '<=', now)
        .returningAll()
        .executeTakeFirst(),
    async releaseBooking(id, lease, nextTryAt, isTry = true) {
      await tables()
        .updateTable('bookings')
        .set((expression) => ({
          lease: null,
          lease_until: 0,
          next_try_at: nextTryAt,
          tries: expression('tries', '-', isTry ? 0 : 1),
        }))
        .where('id', '=', id)
        .where('lease', '=', lease)
        .execute()
    },
    async setDoubt(id, lease, inDoubtUntil) {
      const won = await tables()
        .updateTable('bookings')
        .set({ in_doubt_until: inDoubtUntil })
        .where('id', '=', id)
        .where('lease', '=', lease)
        // The money may have gone back since the booking was leased.
        .where('state', '=', 'waiting')
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    async freeLeases() {
      const { numUpdatedRows } = await tables()
        .updateTable('bookings')
        .set({ lease: null, lease_until: 0 })
        .where('lease', 'is not', null)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    async setAwb(id, lease, awb) {
      const won = await tables()
        .updateTable('bookings')
        .set({ awb, state: 'labelling' })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .where('awb', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    keepLabel: (id, pdf, now) =>
      database.transaction(async () => {
        await tables()
          .insertInto('labels')
          .values({ booking_id: id, pdf, stored_at: now })
          .onConflict((conflict) => conflict.column('booking_id').doNothing())
          .execute()
        await tables()
          .updateTable('bookings')
          .set({ state: 'issued', lease: null, lease_until: 0 })
          .where('id', '=', id)
          .where('awb', 'is not', null)
          .execute()
      }),
    findBookingByAwb: (awb) =>
      tables().selectFrom('bookings').selectAll().where('awb', '=', awb).executeTakeFirst(),
    async findLabel(bookingId) {
      const row = await tables()
        .selectFrom('labels')
        .select('pdf')
        .where('booking_id', '=', bookingId)
        .executeTakeFirst()
      return row?.pdf
    },
    async findAwaiting(userId) {
      const row = await tables()
        .selectFrom('bookings')
        .innerJoin('orders', 'orders.id', 'bookings.order_id')
        .select('orders.id')
        .where('orders.user_id', '=', userId)
        .where('bookings.state', 'in', [...openBookingStates])
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },
    async expireOfUser(userId) {
      const { numUpdatedRows } = await tables()
        .updateTable('orders')
        .set({ status: 'EXPIRED' })
        .where('user_id', '=', userId)
        .where('status', '=', 'PENDING_PAYMENT')
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    async forgetUser(userId) {
      await tables()
        .deleteFrom('labels')
        .where('booking_id', 'in', (query) =>
          query
            .selectFrom('bookings')
            .innerJoin('orders', 'orders.id', 'bookings.order_id')
            .select('bookings.id')
            .where('orders.user_id', '=', userId),
        )
        .execute()
      await tables().deleteFrom('idempotency_keys').where('user_id', '=', userId).execute()
    },
    async findLabelled(bookingIds) {
      if (bookingIds.length === 0) return new Set()
      const rows = await tables()
        .selectFrom('labels')
        .select('booking_id')
        .where('booking_id', 'in', [...bookingIds])
        .execute()
      return new Set(rows.map(({ booking_id }) => booking_id))
    },
    async findOldestUnissued() {
      const row = await tables()
        .selectFrom('bookings')
        .innerJoin('orders', 'orders.id', 'bookings.order_id')
        .select('orders.paid_at')
        .where('bookings.state', '=', 'waiting')
        .orderBy('orders.paid_at')
        .limit(1)
        .executeTakeFirst()
      return row?.paid_at ?? undefined
    },
  }
}
