import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type ConfirmationRow = Row<'confirmations'>
type Asked = Omit<ConfirmationRow, 'confirmed_until'>
/** A code that a session was sent in a browser. */
type AskedCode = Pick<ConfirmationRow, 'session_hash' | 'browser_hash' | 'challenge_id'>

/** Requests that were asked to be confirmed, those that were, and wrong codes by session. */
export function createConfirmationsStore(database: Database) {
  const ofCode = ({ session_hash, browser_hash, challenge_id }: AskedCode) =>
    database.tables
      .updateTable('confirmations')
      .where('session_hash', '=', session_hash)
      .where('browser_hash', '=', browser_hash)
      .where('challenge_id', '=', challenge_id)
      .where('confirmed_until', 'is', null)
  const ofSession = (tokenHash: string) =>
    database.tables.updateTable('sessions').where('token_hash', '=', tokenHash)

  /** Stores a row for a session that has not ended; false otherwise. */
  const put = ({ confirmed_until, ...row }: ConfirmationRow): Promise<boolean> =>
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

  return {
    /** Replaces what the session was asked for this purpose before; false when the session has ended. */
    askConfirmation: (asked: Asked): Promise<boolean> => put({ ...asked, confirmed_until: null }),

    /** Inside a transaction: the code no longer confirms what it was sent for. */
    async dropUnconfirmed(sessionHash: string, challengeId: string): Promise<void> {
      database.assertTransaction()
      await database.tables
        .deleteFrom('confirmations')
        .where('session_hash', '=', sessionHash)
        .where('challenge_id', '=', challengeId)
        .where('confirmed_until', 'is', null)
        .execute()
    },

    /** Whether the session was sent this code in this browser. */
    async isAskedFor({ session_hash, browser_hash, challenge_id }: AskedCode): Promise<boolean> {
      const row = await database.tables
        .selectFrom('confirmations')
        .select('purpose')
        .where('session_hash', '=', session_hash)
        .where('browser_hash', '=', browser_hash)
        .where('challenge_id', '=', challenge_id)
        .where('confirmed_until', 'is', null)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** The code was right; false when it was not asked for here, or was confirmed before. */
    confirm: (code: AskedCode, until: number): Promise<boolean> =>
      database.wins(ofCode(code).set({ confirmed_until: until })),

    /** Takes a confirmation that is valid at `now`, once. */
    takeConfirmation: (
      {
        session_hash,
        browser_hash,
        purpose,
      }: Pick<ConfirmationRow, 'session_hash' | 'browser_hash' | 'purpose'>,
      now: number,
    ): Promise<ConfirmationRow | undefined> =>
      database.tables
        .deleteFrom('confirmations')
        .where('session_hash', '=', session_hash)
        .where('purpose', '=', purpose)
        .where('browser_hash', '=', browser_hash)
        .where('confirmed_until', '>', now)
        .returningAll()
        .executeTakeFirst(),

    /** Gives back what `takeConfirmation` took: the request was refused. */
    returnConfirmation: put,

    /** Counts a wrong code before it is compared; the count, or undefined where `most` are counted. */
    async countWrongConfirmation(tokenHash: string, most: number): Promise<number | undefined> {
      const row = await ofSession(tokenHash)
        .set((session) => ({ wrong_confirmations: session('wrong_confirmations', '+', 1) }))
        .where('wrong_confirmations', '<', most)
        .returning('wrong_confirmations')
        .executeTakeFirst()
      return row?.wrong_confirmations
    },

    /** The code was not compared. */
    async uncountWrongConfirmation(tokenHash: string): Promise<void> {
      await ofSession(tokenHash)
        .set((session) => ({ wrong_confirmations: session('wrong_confirmations', '-', 1) }))
        .where('wrong_confirmations', '>', 0)
        .execute()
    },

    /** A right code was entered. */
    async clearWrongConfirmations(tokenHash: string): Promise<void> {
      await ofSession(tokenHash).set({ wrong_confirmations: 0 }).execute()
    },

    /** Deletes at most `limit` rows that were asked for before `before`; returns how many. */
    deleteConfirmations: (before: number, limit: number): Promise<number> =>
      deletePiece(database, {
        from: 'confirmations',
        where: sql`asked_at < ${before}`,
        by: 'asked_at',
        limit,
      }),
  }
}
