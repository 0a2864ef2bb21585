import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import { deleteOlder } from '#server/platform/database/pieces.ts'
import type { Row } from '#server/platform/database/schema.ts'

type ConfirmationRow = Row<'confirmations'>

type SentCode = Pick<ConfirmationRow, 'session_hash' | 'browser_hash' | 'challenge_id'>

/** @returns false when the session has ended */
export const saveConfirmation = (
  { database }: QueryCore,
  { confirmed_until, ...row }: ConfirmationRow,
): Promise<boolean> =>
  database.wins(
    database.tables
      .insertInto('confirmations')
      .columns(['session_hash', 'purpose', 'browser_hash', 'challenge_id', 'asked_at', 'confirmed_until'])
      .expression((query) =>
        query
          .selectFrom('sessions')
          .select([
            'token_hash',
            sql<ConfirmationRow['purpose']>`CAST(${row.purpose} AS text)`.as('purpose'),
            sql<string>`CAST(${row.browser_hash} AS text)`.as('browser_hash'),
            sql<string>`CAST(${row.challenge_id} AS text)`.as('challenge_id'),
            sql<number>`CAST(${row.asked_at} AS bigint)`.as('asked_at'),
            sql<number | null>`CAST(${confirmed_until} AS bigint)`.as('confirmed_until'),
          ])
          .where('token_hash', '=', row.session_hash),
      )
      .onConflict((conflict) =>
        conflict.columns(['session_hash', 'purpose']).doUpdateSet({
          browser_hash: row.browser_hash,
          challenge_id: row.challenge_id,
          asked_at: row.asked_at,
          confirmed_until,
        }),
      ),
  )

export async function deleteUnconfirmed(
  { database }: QueryCore,
  sessionHash: string,
  challengeId: string,
): Promise<void> {
  database.assertTransaction()
  await database.tables
    .deleteFrom('confirmations')
    .where('session_hash', '=', sessionHash)
    .where('challenge_id', '=', challengeId)
    .where('confirmed_until', 'is', null)
    .execute()
}

export const isCodeAwaited = (
  { database }: QueryCore,
  { session_hash, browser_hash, challenge_id }: SentCode,
): Promise<boolean> =>
  database.has(
    database.tables
      .selectFrom('confirmations')
      .select('purpose')
      .where('session_hash', '=', session_hash)
      .where('browser_hash', '=', browser_hash)
      .where('challenge_id', '=', challenge_id)
      .where('confirmed_until', 'is', null)
      .limit(1),
  )

export const markConfirmed = (
  { database }: QueryCore,
  { session_hash, browser_hash, challenge_id }: SentCode,
  until: number,
): Promise<boolean> =>
  database.wins(
    database.tables
      .updateTable('confirmations')
      .set({ confirmed_until: until })
      .where('session_hash', '=', session_hash)
      .where('browser_hash', '=', browser_hash)
      .where('challenge_id', '=', challenge_id)
      .where('confirmed_until', 'is', null),
  )

export const takeConfirmation = (
  { database }: QueryCore,
  { session_hash, browser_hash, purpose }: Pick<ConfirmationRow, 'session_hash' | 'browser_hash' | 'purpose'>,
  now: number,
): Promise<ConfirmationRow | undefined> =>
  database.tables
    .deleteFrom('confirmations')
    .where('session_hash', '=', session_hash)
    .where('purpose', '=', purpose)
    .where('browser_hash', '=', browser_hash)
    .where('confirmed_until', '>', now)
    .returningAll()
    .executeTakeFirst()

export const deleteConfirmations = (
  { database }: QueryCore,
  before: number,
  limit: number,
): Promise<number> => deleteOlder(database, { from: 'confirmations', by: 'asked_at', before, limit })

const updateSession = ({ database }: QueryCore, tokenHash: string) =>
  database.tables.updateTable('sessions').where('token_hash', '=', tokenHash)

/** @returns undefined when `most` wrong codes were counted before */
export async function countWrongCode(
  core: QueryCore,
  tokenHash: string,
  most: number,
): Promise<number | undefined> {
  const row = await updateSession(core, tokenHash)
    .set((session) => ({ wrong_confirmations: session('wrong_confirmations', '+', 1) }))
    .where('wrong_confirmations', '<', most)
    .returning('wrong_confirmations')
    .executeTakeFirst()
  return row?.wrong_confirmations
}

export async function uncountWrongCode(core: QueryCore, tokenHash: string): Promise<void> {
  await updateSession(core, tokenHash)
    .set((session) => ({ wrong_confirmations: session('wrong_confirmations', '-', 1) }))
    .where('wrong_confirmations', '>', 0)
    .execute()
}

export async function forgetWrongCodes(core: QueryCore, tokenHash: string): Promise<void> {
  await updateSession(core, tokenHash).set({ wrong_confirmations: 0 }).execute()
}
