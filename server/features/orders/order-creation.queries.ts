import { type Expression, type SqlBool, sql } from 'kysely'
import { sendEvent } from '#server/features/history/history.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { BookingType, OrderPayment } from '#shared/orders/orders.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { NewBooking } from './bookings.queries.ts'
import type { PresentTerms } from './terms.rules.ts'

export interface NewOrder {
  readonly userId: number
  readonly type: BookingType
  readonly amountHalalas: number
  readonly currency: string
  readonly agentCode: string
  readonly centerCode: string
  readonly createdAt: number
  readonly terms?: { readonly version: string; readonly language: LanguageCode }
}

export interface CreationLimit {
  readonly limit: number
  /**
   * A cancelled order that was created after this time counts for `limit`, so that cancelling does not let a user
   * create any number of orders.
   */
  readonly droppedSince: number
  readonly isSold?: Expression<SqlBool>
}

const asNumber = (value: number) => sql<number>`cast(${value} as bigint)`
const asText = <T extends string | null>(value: T) => sql<T>`cast(${value} as text)`

/**
 * Needs a transaction, after `lockCreations`.
 * @returns undefined when the user already has `limit` unpaid orders, or `isSold` is not true
 */
export async function insertOrder(
  core: QueryCore,
  { limit, droppedSince, isSold = sql.val(true).$castTo<SqlBool>() }: CreationLimit,
  order: NewOrder,
  bookings: readonly NewBooking[],
): Promise<number | undefined> {
  const { database } = core
  database.assertTransaction()
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
          asNumber(order.userId).as('user_id'),
          asText(order.type).as('type'),
          asText<OrderPayment>('unpaid').as('payment'),
          asNumber(order.amountHalalas).as('amount_halalas'),
          asText(order.currency).as('currency'),
          asText(order.agentCode).as('agent_code'),
          asText(order.centerCode).as('center_code'),
          asNumber(order.createdAt).as('created_at'),
          asText(order.terms?.version ?? null).as('terms_version'),
          asText(order.terms?.language ?? null).as('terms_language'),
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
  await database.send(
    database.tables
      .insertInto('bookings')
      .values(bookings.map((booking) => ({ ...booking, order_id: id, state: 'none' as const }))),
  )
  await sendEvent(core, {
    kind: 'order-created',
    data: { type: order.type },
    by: { kind: 'owner' },
    orderId: id,
  })
  return id
}

/** Needs a transaction. Lets the orders of one user be created one after the other. */
export async function lockCreations(
  { database }: QueryCore,
  userId: number,
  other?: Expression<unknown>,
): Promise<void> {
  database.assertTransaction()
  // PostgreSQL counts committed rows only, so it needs a lock. SQLite has one writer at a time.
  if (database.engine === 'postgres')
    await database.rows(
      sql`select ${sql.join([
        sql`pg_advisory_xact_lock(hashtextextended(${`open-orders:${userId}`}, 0))`,
        ...(other === undefined ? [] : [other]),
      ])}`,
    )
}

export async function keepTerms(
  { database }: QueryCore,
  { version, body }: PresentTerms,
  now: number,
): Promise<void> {
  await database.send(
    database.tables
      .insertInto('terms')
      .values({ version, body, since: now })
      .onConflict((conflict) => conflict.column('version').doNothing()),
  )
}

export async function findTerms(
  { database }: QueryCore,
  versions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (versions.length === 0) return new Map()
  const rows = await database.tables
    .selectFrom('terms')
    .select(['version', 'body'])
    .where('version', 'in', versions)
    .execute()
  return new Map(rows.map(({ version, body }) => [version, body]))
}

export const findKey = ({ database }: QueryCore, userId: number, key: string) =>
  database.tables
    .selectFrom('idempotency_keys')
    .select(['order_id as orderId', 'body_hash as bodyHash'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()

/** @returns undefined on success, otherwise the order for which the idempotency key was used before */
export async function insertKey(
  core: QueryCore,
  userId: number,
  { key, bodyHash }: { readonly key: string; readonly bodyHash: string },
  orderId: number,
  now: number,
) {
  const { database } = core
  const isInserted = await database.wins(
    database.tables
      .insertInto('idempotency_keys')
      .values({ user_id: userId, key, body_hash: bodyHash, order_id: orderId, created_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing()),
  )
  return isInserted ? undefined : findKey(core, userId, key)
}
