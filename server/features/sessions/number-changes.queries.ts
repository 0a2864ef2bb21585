import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { orDuplicate } from '#server/platform/database/duplicates.ts'
import { preparedChanges, preparedFirst } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { NumberChangeState } from '#shared/sessions/number-changes.ts'

export type NumberChangeRow = Row<'number_changes'>

// The state must be a literal: with a parameter no partial index would be used.
const isWaiting = sql<boolean>`state = 'waiting'`

const changes = ({ tables }: Database) => tables.selectFrom('number_changes').selectAll()
const waiting = (database: Database, now: number) =>
  changes(database).where(isWaiting).where('ends_at', '>', now)

// These statements are prepared, because each sign-in of a user runs one of them.

export const findChangeTo = preparedFirst(({ database }: QueryCore, phone: string, now: number) =>
  waiting(database, now).where('phone', '=', phone),
)

const ended = preparedChanges(
  ({ database }: QueryCore, userId: number, state: NumberChangeState, ended_at: number) =>
    database.tables
      .updateTable('number_changes')
      .set({ state, ended_at, phone: null })
      .where('user_id', '=', userId)
      .where(isWaiting),
)

export const endNumberChange = async (
  core: QueryCore,
  userId: number,
  state: Exclude<NumberChangeState, 'waiting'>,
  now: number,
): Promise<boolean> => (await ended(core, userId, state, now)) > 0

export async function listChangesTo(
  { database }: QueryCore,
  phones: readonly string[],
  now: number,
): Promise<NumberChangeRow[]> {
  return phones.length === 0 ? [] : waiting(database, now).where('phone', 'in', phones).execute()
}

export async function listWaitingChanges(
  { database }: QueryCore,
  userIds: readonly number[],
  now: number,
): Promise<NumberChangeRow[]> {
  return userIds.length === 0 ? [] : waiting(database, now).where('user_id', 'in', userIds).execute()
}

export const findLastNumberChange = (
  { database }: QueryCore,
  userId: number,
): Promise<NumberChangeRow | undefined> =>
  changes(database).where('user_id', '=', userId).orderBy('id', 'desc').limit(1).executeTakeFirst()

/**
 * Deletes an expired change to the same phone number, which the retention can have left. @returns undefined when the
 * user has a waiting change, or another user has one to this phone number
 */
export async function addNumberChange(
  { database }: QueryCore,
  row: Omit<NumberChangeRow, 'id' | 'state' | 'ended_at'>,
): Promise<number | undefined> {
  await database.tables
    .deleteFrom('number_changes')
    .where(isWaiting)
    .where('phone', '=', row.phone)
    .where('ends_at', '<=', row.approved_at)
    .execute()
  const added = await database.tables
    .insertInto('number_changes')
    .values({ ...row, state: 'waiting', ended_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
    .catch(orDuplicate)
  return added?.id
}

export async function deleteNumberChanges({ database }: QueryCore, userId: number): Promise<void> {
  await database.tables.deleteFrom('number_changes').where('user_id', '=', userId).execute()
}
