import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { idsByName, type Needle } from '#server/platform/database/name-index.ts'
import { statusConditions } from '#server/platform/database/order-status.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { phoneEndOf } from '#server/platform/database/search-text.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'

export type OrderRow = Row<'orders'>
export type PersonRow = Pick<Row<'users'>, 'id' | 'name' | 'phone' | 'created_at'>

export type ClaimFound = Pick<Row<'claims'>, 'id' | 'order_id' | 'kind' | 'state'>

/** What persons are found by: one of these. */
export interface PersonKey {
  readonly phone?: string | undefined
  /** The last four digits. */
  readonly phoneEnd?: string | undefined
  /** A name has these parts. */
  readonly name?: Needle | undefined
}

/** Where a page of the list begins: after this order. */
export interface Cursor {
  readonly createdAt: number
  readonly id: number
}

export interface ListRequest {
  readonly status?: OrderStatus | undefined
  readonly agent?: string | undefined
  /** Branches; all when undefined. */
  readonly centers?: readonly string[] | undefined
  /** Created at this time or later. */
  readonly since: number
  readonly before: Cursor
  readonly limit: number
}

export type DeskOrdersStore = ReturnType<typeof createDeskOrdersStore>

const endOf = (column: 'phone' | 'receiver_phone' | 'second_phone') =>
  sql<string>`${sql.raw(phoneEndOf(column))}`

/** Orders and persons as the desk finds them: each statement by an index, however many there are. It only reads. */
export function createDeskOrdersStore(database: Database) {
  return { ...createSearches(database), ...createLists(database) }
}

function createSearches(database: Database) {
  const people = () =>
    database.tables
      .selectFrom('users')
      .select(['id', 'name', 'phone', 'created_at'])
      .where('deleted_at', 'is', null)

  const ordersOfReceivers = () => database.tables.selectFrom('bookings').select(['id', 'order_id'])

  return {
    /** Orders that have this as an airway bill, a reference of a shipment or payment, or a transaction. */
    async findByReference(reference: string): Promise<number[]> {
      const ofBookings = (column: 'awb' | 'reference') =>
        database.tables.selectFrom('bookings').select('order_id').where(column, '=', reference)
      const rows = await ofBookings('awb')
        .unionAll(ofBookings('reference'))
        .unionAll(
          database.tables
            .selectFrom('payment_attempts')
            .select('order_id')
            .where('reference', '=', reference),
        )
        .unionAll(
          database.tables
            .selectFrom('payment_events')
            .innerJoin('payment_attempts', 'payment_attempts.id', 'payment_events.attempt_id')
            .select('payment_attempts.order_id')
            .where('payment_events.transaction_id', '=', reference),
        )
        .execute()
      return [...new Set(rows.map(({ order_id }) => order_id))]
    },

    /** The newest owners with this phone or name. */
    async findPeople({ phone, phoneEnd, name }: PersonKey, limit: number): Promise<PersonRow[]> {
      if (phone !== undefined) return people().where('phone', '=', phone).execute()
      if (phoneEnd !== undefined)
        return people().where(endOf('phone'), '=', phoneEnd).orderBy('id', 'desc').limit(limit).execute()
      if (name === undefined) return []
      const rows = await people()
        .where('id', 'in', idsByName('users', name, limit))
        .execute()
      return rows.toSorted((one, other) => other.id - one.id)
    },

    /** The newest orders whose receiver has this phone or name, or which may be called under this phone. */
    async findByReceiver({ phone, phoneEnd, name }: PersonKey, limit: number): Promise<number[]> {
      const end = phone?.slice(-4) ?? phoneEnd
      const byPhone = async (column: 'receiver_phone' | 'second_phone') =>
        end === undefined
          ? []
          : ordersOfReceivers()
              .where(column, 'is not', null)
              .where(endOf(column), '=', end)
              .$if(phone !== undefined, (query) => query.where(column, '=', phone ?? ''))
              .orderBy('id', 'desc')
              .limit(limit)
              .execute()
      const byName =
        name === undefined
          ? []
          : await ordersOfReceivers()
              .where('id', 'in', idsByName('bookings', name, limit))
              .execute()
      const rows = [...(await byPhone('receiver_phone')), ...(await byPhone('second_phone')), ...byName]
      return [...new Set(rows.map(({ order_id }) => order_id))]
        .sort((one, other) => other - one)
        .slice(0, limit)
    },

    findClaim: (id: number): Promise<ClaimFound | undefined> =>
      database.tables
        .selectFrom('claims')
        .select(['id', 'order_id', 'kind', 'state'])
        .where('id', '=', id)
        .executeTakeFirst(),

    async findOrders(ids: readonly number[]): Promise<OrderRow[]> {
      if (ids.length === 0) return []
      return database.tables.selectFrom('orders').selectAll().where('id', 'in', ids).execute()
    },

    /** The newest orders of these owners. */
    async listOfOwners(userIds: readonly number[], limit: number): Promise<OrderRow[]> {
      if (userIds.length === 0) return []
      return database.tables
        .selectFrom('orders')
        .selectAll()
        .where('user_id', 'in', userIds)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },
  }
}

function createLists(database: Database) {
  /** One statement for each index; literals, so that the database sees which partial index covers the status. */
  const orders = (
    { status, agent, since, before }: Omit<ListRequest, 'centers' | 'limit'>,
    center?: string,
  ) =>
    database.tables
      .selectFrom('orders')
      .selectAll()
      .where('created_at', '>=', since)
      .where(sql<boolean>`(created_at, id) < (${before.createdAt}, ${before.id})`)
      .$if(status !== undefined, (query) => query.where(sql.raw<boolean>(statusConditions[status ?? 'PAID'])))
      .$if(agent !== undefined, (query) => query.where('agent_code', '=', agent ?? ''))
      .$if(center !== undefined, (query) => query.where('center_code', '=', center ?? ''))

  return {
    /** Orders as asked for, the newest first. */
    async listOrders({ centers, limit, ...request }: ListRequest): Promise<OrderRow[]> {
      if (centers?.length === 0) return []
      const [first, ...rest] = (centers ?? [undefined]).map((center) => orders(request, center))
      if (!first) return []
      return rest
        .reduce((query, part) => query.unionAll(part), first)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    /** Bags of the orders, by leg. */
    async listBags(orderIds: readonly number[]) {
      if (orderIds.length === 0) return []
      return database.tables
        .selectFrom('bookings')
        .select(['order_id', 'leg', 'awb', 'carriage', 'last_event_at', 'origin', 'destination'])
        .where('order_id', 'in', orderIds)
        .orderBy('order_id', 'desc')
        .orderBy('leg')
        .execute()
    },

    /** What was returned of the orders, in halalas. */
    async sumReturned(orderIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
      if (orderIds.length === 0) return new Map()
      const rows = await database.tables
        .selectFrom('refunds')
        .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
        .select(['payment_attempts.order_id', 'refunds.amount_halalas'])
        .where('payment_attempts.order_id', 'in', orderIds)
        .where('refunds.state', '=', 'done')
        .where('refunds.written_off_at', 'is', null)
        .where('refunds.currency', '=', 'SAR')
        .execute()
      const sums = new Map<number, number>()
      for (const { order_id, amount_halalas } of rows)
        sums.set(order_id, (sums.get(order_id) ?? 0) + amount_halalas)
      return sums
    },
  }
}
