import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type SubscriptionRow = Row<'push_subscriptions'>

export type PushStore = ReturnType<typeof createPushStore>

/** Browsers that get push messages. Times are epoch milliseconds. */
export function createPushStore(database: Database) {
  return {
    /**
     * Stores a subscription. The same browser may have belonged to another user before; false when the address is known
     * with other keys, because then it is another browser's.
     */
    async saveSubscription(row: SubscriptionRow): Promise<boolean> {
      const { endpoint: _, ...fields } = row
      return database.wins(
        database.tables
          .insertInto('push_subscriptions')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column('endpoint')
              .doUpdateSet(fields)
              .where('push_subscriptions.p256dh', '=', row.p256dh)
              .where('push_subscriptions.auth', '=', row.auth),
          ),
      )
    },

    /** Deletes the subscriptions of a session, but for the one at `except`. */
    async deleteOfSession(sessionHash: string, except = ''): Promise<void> {
      await database.tables
        .deleteFrom('push_subscriptions')
        .where('session_hash', '=', sessionHash)
        .where('endpoint', '!=', except)
        .execute()
    },

    /** The newest subscriptions of a user, whatever key they were made with. */
    listSubscriptions: (userId: number, limit: number): Promise<SubscriptionRow[]> =>
      database.tables
        .selectFrom('push_subscriptions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute(),

    /** Whether a session has a subscription for this key of the gateway. */
    async hasSubscription(sessionHash: string, serverKey: string): Promise<boolean> {
      const row = await database.tables
        .selectFrom('push_subscriptions')
        .select('endpoint')
        .where('session_hash', '=', sessionHash)
        .where('server_key', '=', serverKey)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Deletes a subscription of the user; false when it is another's or does not exist. */
    async deleteSubscription(userId: number, endpoint: string): Promise<boolean> {
      return database.wins(
        database.tables
          .deleteFrom('push_subscriptions')
          .where('endpoint', '=', endpoint)
          .where('user_id', '=', userId),
      )
    },
  }
}
