import { recordEvent, recordEvents } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'

const owner = { kind: 'owner' } as const

export type SharesStore = ReturnType<typeof createSharesStore>

/** Live links by the hash of their token: one per order. Times are epoch milliseconds. */
export function createSharesStore(database: Database) {
  const shares = () =>
    database.tables.selectFrom('order_shares').select(['order_id as orderId', 'created_at as createdAt'])

  return {
    /** Inside a transaction: stores the link of an order; the one before it ends. */
    async saveShare(orderId: number, tokenHash: string, now: number): Promise<void> {
      database.assertTransaction()
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
      if (orderIds.length === 0) return
      const ended = await database.tables
        .deleteFrom('order_shares')
        .where('order_id', 'in', orderIds)
        .returning('order_id')
        .execute()
      const events = ended.map(
        ({ order_id: orderId }) => ({ kind: 'link-ended', data: {}, by: owner, orderId }) as const,
      )
      await recordEvents({ database }, events)
    },
  }
}
