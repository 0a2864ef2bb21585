import { type Expression, type SqlBool, sql } from 'kysely'
import { recordEvent } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { BookingType, OrderPayment } from '#shared/orders/orders.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { NewBooking } from './bookings.store.ts'
import type { PresentTerms } from './terms.rules.ts'

export interface NewOrder {
  readonly userId: number
  readonly type: BookingType
  readonly amountHalalas: number
  readonly currency: string
  readonly agentCode: string
  readonly centerCode: string
  readonly createdAt: number
  /** Kept before, by `keepTerms`. */
  readonly terms?: { readonly version: string; readonly language: LanguageCode }
}

/** How many unpaid orders a user may have, and what else must hold. */
export interface CreationLimit {
  readonly limit: number
  /** An order that was dropped counts until it would have expired: if it was created after this. */
  readonly droppedSince: number
  readonly isSold?: Expression<SqlBool>
}

/** New orders, and the idempotency keys under which users created them. */
export function createOrderCreationStore(database: Database) {
  /** Inserts an order and its bookings while the user has fewer than `limit` unpaid orders. */
  async function insertOrder(
    order: NewOrder,
    bookings: readonly NewBooking[],
    { limit, droppedSince, isSold = sql.val(true).$castTo<SqlBool>() }: CreationLimit,
  ): Promise<number | undefined> {
    const inserted = await database.tables
      .insertInto('orders')
      .columns([
        'user_id',
        'type',
        'payment',
        'amount_halalas',
        'currency',
        'agent_code',
        'center_code',
        'created_at',
        'terms_version',
        'terms_language',
      ])
      .expression(
        database.tables
          .selectNoFrom([
            sql<number>`cast(${order.userId} as bigint)`.as('user_id'),
            sql<BookingType>`cast(${order.type} as text)`.as('type'),
            sql<OrderPayment>`cast('unpaid' as text)`.as('payment'),
            sql<number>`cast(${order.amountHalalas} as bigint)`.as('amount_halalas'),
            sql<string>`cast(${order.currency} as text)`.as('currency'),
            sql<string>`cast(${order.agentCode} as text)`.as('agent_code'),
            sql<string>`cast(${order.centerCode} as text)`.as('center_code'),
            sql<number>`cast(${order.createdAt} as bigint)`.as('created_at'),
            sql<string | null>`cast(${order.terms?.version ?? null} as text)`.as('terms_version'),
            sql<LanguageCode | null>`cast(${order.terms?.language ?? null} as text)`.as('terms_language'),
          ])
          .where(
            (query) =>
              query
                .selectFrom('orders as open')
                .select(query.fn.countAll<number>().as('count'))
                .where('open.user_id', '=', order.userId)
                .where('open.payment', '=', 'unpaid')
                .where((open) =>
                  open.or([
                    open('open.ended', 'is', null),
                    open.and([
                      open('open.ended', '=', 'cancelled'),
                      open('open.created_at', '>', droppedSince),
                    ]),
                  ]),
                ),
            '<',
            limit,
          )
          .where(isSold),
      )
      .returning('id')
      .executeTakeFirst()
    if (!inserted) return undefined
    const { id } = inserted
    await database.tables
      .insertInto('bookings')
      .values(bookings.map((booking) => ({ ...booking, order_id: id, state: 'none' as const })))
      .execute()
    await recordEvent(
      { database },
      {
        kind: 'order-created',
        data: { type: order.type },
        by: { kind: 'owner' },
        orderId: id,
      },
    )
    return id
  }

  /** The order that was created under a key, and the hash of what was asked for. */
  function findKey(userId: number, key: string) {
    return database.tables
      .selectFrom('idempotency_keys')
      .select(['order_id as orderId', 'body_hash as bodyHash'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst()
  }

  return {
    /** Stores terms, once for each text of them. */
    async keepTerms({ version, body }: PresentTerms, now: number): Promise<void> {
      await database.tables
        .insertInto('terms')
        .values({ version, body, since: now })
        .onConflict((conflict) => conflict.column('version').doNothing())
        .execute()
    },

    /** Terms by their versions. */
    async findTerms(versions: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (versions.length === 0) return new Map()
      const rows = await database.tables
        .selectFrom('terms')
        .select(['version', 'body'])
        .where('version', 'in', versions)
        .execute()
      return new Map(rows.map(({ version, body }) => [version, body]))
    },

    /** Stores an unpaid order and its bookings, all or nothing; returns its number. */
    addOrder(order: NewOrder, bookings: readonly NewBooking[]): Promise<number> {
      return database.transaction(async () => {
        const id = await insertOrder(order, bookings, {
          limit: Number.MAX_SAFE_INTEGER,
          droppedSince: order.createdAt,
        })
        if (id === undefined) throw new Error('an order without a limit was not stored')
        return id
      })
    },

    /** Inside a transaction: one creation of a user after the other, until it ends. `others` are locks that it takes, too. */
    async lockCreations(
      userId: number,
      ...others: readonly (Expression<unknown> | undefined)[]
    ): Promise<void> {
      database.assertTransaction()
      // SQLite has one writer at a time. PostgreSQL finds only committed rows, so calls of one user take a lock.
      if (database.engine === 'postgres')
        await sql`select ${sql.join([
          sql`pg_advisory_xact_lock(hashtextextended(${`open-orders:${userId}`}, 0))`,
          ...others.filter((lock) => lock !== undefined),
        ])}`.execute(database.tables)
    },

    /**
     * Inside a transaction with `lockCreations`: `addOrder`, unless the user has `limit` unpaid orders already, or the
     * condition does not hold: then undefined.
     */
    async addOrderBelow(
      limit: CreationLimit,
      order: NewOrder,
      bookings: readonly NewBooking[],
    ): Promise<number | undefined> {
      database.assertTransaction()
      return insertOrder(order, bookings, limit)
    },

    findKey,

    /** Binds a key of the user to an order. Undefined on success; else the order that the key is bound to already. */
    async insertIdempotencyKey(userId: number, key: string, bodyHash: string, orderId: number, now: number) {
      const isInserted = await database.wins(
        database.tables
          .insertInto('idempotency_keys')
          .values({ user_id: userId, key, body_hash: bodyHash, order_id: orderId, created_at: now })
          .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing()),
      )
      return isInserted ? undefined : findKey(userId, key)
    },
  }
}
