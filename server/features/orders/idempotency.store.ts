import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'

/** The order that was created under a key, and the hash of what was asked for. */
interface KeyedOrder {
  readonly orderId: number
  readonly bodyHash: string
}

/** Idempotency keys of order creation, per user. */
export function createIdempotencyKeysStore(database: Database) {
  async function findKey(userId: number, key: string): Promise<KeyedOrder | undefined> {
    const row = await database
      .tables()
      .selectFrom('idempotency_keys')
      .select(['order_id', 'body_hash'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst()
    return row && { orderId: row.order_id, bodyHash: row.body_hash }
  }

  return {
    findKey,

    /** Binds a key of the user to an order. Undefined on success; else the order that the key is bound to already. */
    async insertIdempotencyKey(
      userId: number,
      key: string,
      bodyHash: string,
      orderId: number,
      now: number,
    ): Promise<KeyedOrder | undefined> {
      const inserted = await database
        .tables()
        .insertInto('idempotency_keys')
        .values({ user_id: userId, key, body_hash: bodyHash, order_id: orderId, created_at: now })
        .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
        .returning('order_id')
        .executeTakeFirst()
      return inserted ? undefined : findKey(userId, key)
    },

    /** Deletes at most `limit` of the keys created before `before`, the oldest first; returns how many. */
    deleteKeys(before: number, limit: number): Promise<number> {
      return deletePiece(database, {
        from: 'idempotency_keys',
        where: sql`created_at < ${before}`,
        by: 'created_at',
        limit,
      })
    },
  }
}
