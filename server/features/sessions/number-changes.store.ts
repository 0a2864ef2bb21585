import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { orDuplicate } from '#server/platform/database/duplicates.ts'
import { preparedChanges, preparedFirst } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { NumberChangeState } from '#shared/sessions/number-changes.ts'

export type NumberChangeRow = Row<'number_changes'>
export type NumberChangesStore = ReturnType<typeof createNumberChangesStore>

// A literal, so that both engines see that the partial indexes cover the query.
const isWaiting = sql<boolean>`state = 'waiting'`

/** Accounts that get another number. Times are epoch milliseconds; phones are E.164. */
export function createNumberChangesStore(database: Database) {
  const changes = () => database.tables.selectFrom('number_changes').selectAll()
  // Prepared, because each sign-in of a user runs one of them.
  const toPhone = preparedFirst<{ phone: string; now: number }, NumberChangeRow>(database, (given) =>
    changes().where('phone', '=', given('phone')).where(isWaiting).where('ends_at', '>', given('now')),
  )
  const ended = preparedChanges<{ userId: number; state: NumberChangeState; now: number }>(
    database,
    (given) =>
      database.tables
        .updateTable('number_changes')
        .set({ state: given('state'), ended_at: given('now'), phone: null })
        .where('user_id', '=', given('userId'))
        .where(isWaiting),
  )

  return {
    /** The change that waits for a code to this number, also before its waiting time is over. */
    findTo: (phone: string, now: number): Promise<NumberChangeRow | undefined> => toPhone({ phone, now }),

    /** The changes that wait for a code to these numbers. */
    async listTo(phones: readonly string[], now: number): Promise<NumberChangeRow[]> {
      if (phones.length === 0) return []
      return changes().where('phone', 'in', phones).where(isWaiting).where('ends_at', '>', now).execute()
    },

    /** The changes of users that wait. */
    async listWaiting(userIds: readonly number[], now: number): Promise<NumberChangeRow[]> {
      if (userIds.length === 0) return []
      return changes().where('user_id', 'in', userIds).where(isWaiting).where('ends_at', '>', now).execute()
    },

    /** The last change of a user. */
    findLast: (userId: number): Promise<NumberChangeRow | undefined> =>
      changes().where('user_id', '=', userId).orderBy('id', 'desc').limit(1).executeTakeFirst(),

    /** Stores a change that waits; undefined where the user has one, or another user waits for the number. */
    async add(row: Omit<NumberChangeRow, 'id' | 'state' | 'ended_at'>): Promise<number | undefined> {
      const added = await database.tables
        .insertInto('number_changes')
        .values({ ...row, state: 'waiting', ended_at: null })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
        .catch(orDuplicate)
      return added?.id
    },

    /** Ends the change of a user that waits; `false` when none does. */
    async end(userId: number, state: Exclude<NumberChangeState, 'waiting'>, now: number): Promise<boolean> {
      return (await ended({ userId, state, now })) > 0
    },

    async deleteOf(userId: number): Promise<void> {
      await database.tables.deleteFrom('number_changes').where('user_id', '=', userId).execute()
    },
  }
}
