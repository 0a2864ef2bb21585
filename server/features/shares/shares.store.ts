import type { Database } from '#server/platform/database/database.ts'

export interface Share {
  readonly orderId: number
  /** Epoch milliseconds. */
  readonly createdAt: number
}

export type SharesStore = ReturnType<typeof createSharesStore>

/** Live links by the hash of their token: one per order. */
export function createSharesStore(database: Database) {
  return {
    /** Stores the link of an order; the one before it ends. */
    async saveShare(orderId: number, tokenHash: string, now: number): Promise<void> {
      const link = { token_hash: tokenHash, created_at: now }
      await database.tables
        .insertInto('order_shares')
        .values({ order_id: orderId, ...link })
        .onConflict((conflict) => conflict.column('order_id').doUpdateSet(link))
        .execute()
    },

    async findByToken(tokenHash: string): Promise<Share | undefined> {
      const row = await database.tables
        .selectFrom('order_shares')
        .select(['order_id', 'created_at'])
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row && { orderId: row.order_id, createdAt: row.created_at }
    },

    async findOfOrder(orderId: number): Promise<Share | undefined> {
      const row = await database.tables
        .selectFrom('order_shares')
        .select('created_at')
        .where('order_id', '=', orderId)
        .executeTakeFirst()
      return row && { orderId, createdAt: row.created_at }
    },

    /** Ends the links of the orders. */
    async endShares(orderIds: readonly number[]): Promise<void> {
      if (orderIds.length === 0) return
      await database.tables
        .deleteFrom('order_shares')
        .where('order_id', 'in', [...orderIds])
        .execute()
    },
  }
}
