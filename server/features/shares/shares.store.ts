import { type Actor, recordEvent, recordEvents } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'

const owner = { kind: 'owner' } as const

export type SharesStore = ReturnType<typeof createSharesStore>

/** Live links by the hash of their token: one per order. Times are epoch milliseconds. */
export function createSharesStore(database: Database) {
  const shares = () =>
    database.tables.selectFrom('order_shares').select(['order_id as orderId', 'created_at as createdAt'])

  /** Of links that were made before `before` alone: one that has taken the place of another stays. */
  async function end(orderIds: readonly number[], by: Actor, before?: number): Promise<number> {
    if (orderIds.length === 0) return 0
    const ended = await database.tables
      .deleteFrom('order_shares')
      .where('order_id', 'in', orderIds)
      .$if(before !== undefined, (query) => query.where('created_at', '<', before ?? 0))
      .returning('order_id')
      .execute()
    const events = ended.map(
      ({ order_id: orderId }) => ({ kind: 'link-ended', data: {}, by, orderId }) as const,
    )
    await recordEvents({ database }, events)
    return ended.length
  }

  return {
    /** Inside a transaction: stores the link of an order; the one before it ends. */
    async saveShare(orderId: number, tokenHash: string, now: number): Promise<void> {
      database.assertTransaction()
      await end([orderId], owner)
      const link = { token_hash: tokenHash, created_at: now }
      await database.tables
        .insertInto('order_shares')
        .values({ order_id: orderId, ...link })
        .onConflict((conflict) => conflict.column('order_id').doUpdateSet(link))
        .execute()
      await recordEvent({ database }, { kind: 'link-created', data: {}, by: owner, orderId })
    },

    findByToken: (tokenHash: string) => shares().where('token_hash', '=', tokenHash).executeTakeFirst(),

    findOfOrder: (orderId: number) => shares().where('order_id', '=', orderId).executeTakeFirst(),

    /** Inside a transaction: ends the links of the orders. */
    async endShares(orderIds: readonly number[]): Promise<void> {
      database.assertTransaction()
      await end(orderIds, owner)
    },

    /** Inside a transaction: ends `limit` links that were made before `before`; returns how many. */
    async endOldShares(before: number, limit: number): Promise<number> {
      database.assertTransaction()
      const old = await shares().where('created_at', '<', before).orderBy('created_at').limit(limit).execute()
      return end(
        old.map(({ orderId }) => orderId),
        { kind: 'system' },
        before,
      )
    },
  }
}
