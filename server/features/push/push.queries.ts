import type { Core } from '#server/core.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type SubscriptionRow = Row<'push_subscriptions'>

/** @returns false when the endpoint is stored with other keys, so that it belongs to another browser */
export async function saveSubscription({ database }: Core, row: SubscriptionRow): Promise<boolean> {
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
}

export async function deleteSubscriptionsOfSession(
  { database }: Core,
  sessionHash: string,
  except = '',
): Promise<void> {
  await database.tables
    .deleteFrom('push_subscriptions')
    .where('session_hash', '=', sessionHash)
    .where('endpoint', '!=', except)
    .execute()
}

export const listSubscriptions = (
  { database }: Core,
  userId: number,
  limit: number,
): Promise<SubscriptionRow[]> =>
  database.tables
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

export const hasSubscription = (
  { database }: Core,
  sessionHash: string,
  serverKey: string,
): Promise<boolean> =>
  database.has(
    database.tables
      .selectFrom('push_subscriptions')
      .select('endpoint')
      .where('session_hash', '=', sessionHash)
      .where('server_key', '=', serverKey)
      .limit(1),
  )

export const deleteSubscription = ({ database }: Core, userId: number, endpoint: string): Promise<boolean> =>
  database.wins(
    database.tables
      .deleteFrom('push_subscriptions')
      .where('endpoint', '=', endpoint)
      .where('user_id', '=', userId),
  )
