import type { Database } from '#server/platform/database/database.ts'
import { prepared } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type DeskSessionRow = Row<'desk_sessions'>

/** Whose sessions end: all of a person, or those of one session at the provider. */
interface Ended {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
}

export type DeskStore = ReturnType<typeof createDeskStore>

/** Sessions of staff. Times are epoch milliseconds. */
export function createDeskStore(database: Database) {
  const live = prepared<{ tokenHash: string; now: number }, DeskSessionRow>(database, (parameter) =>
    database.tables
      .selectFrom('desk_sessions')
      .selectAll()
      .where('token_hash', '=', parameter('tokenHash'))
      .where('idle_until', '>', parameter('now'))
      .where('ends_at', '>', parameter('now')),
  )
  const deleted = () => database.tables.deleteFrom('desk_sessions').returningAll()

  return {
    async addSession(session: DeskSessionRow): Promise<void> {
      await database.tables.insertInto('desk_sessions').values(session).execute()
    },
    findSession: async (tokenHash: string, now: number): Promise<DeskSessionRow | undefined> =>
      (await live({ tokenHash, now }))[0],
    async touchSession(tokenHash: string, now: number, idleUntil: number): Promise<void> {
      await database.tables
        .updateTable('desk_sessions')
        .set({ last_seen_at: now, idle_until: idleUntil })
        .where('token_hash', '=', tokenHash)
        .execute()
    },
    /** Returns the session that has ended; undefined where there was none. */
    endSession: (tokenHash: string): Promise<DeskSessionRow | undefined> =>
      deleted().where('token_hash', '=', tokenHash).executeTakeFirst(),
    /** Of a person and a session of the provider: also those whose sign-in named no session. */
    endSessions: ({ issuer, subject, sid }: Ended): Promise<DeskSessionRow[]> =>
      deleted()
        .where('issuer', '=', issuer)
        .$if(subject !== undefined, (rows) => rows.where('subject', '=', subject ?? ''))
        .$if(sid !== undefined, (rows) =>
          rows.where((row) =>
            row.or([row('sid', '=', sid ?? ''), ...(subject === undefined ? [] : [row('sid', 'is', null)])]),
          ),
        )
        .execute(),
    /** Whether a person has a session at this time. */
    async isSignedIn({ issuer, subject }: Pick<DeskSessionRow, 'issuer' | 'subject'>, now: number) {
      const row = await database.tables
        .selectFrom('desk_sessions')
        .select('token_hash')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where('idle_until', '>', now)
        .where('ends_at', '>', now)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Ends what a person has not used for too long. */
    endIdle: (
      { issuer, subject }: Pick<DeskSessionRow, 'issuer' | 'subject'>,
      now: number,
    ): Promise<DeskSessionRow[]> =>
      deleted()
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where('idle_until', '<=', now)
        .execute(),
    /** Ends sessions that were not used for too long, at most `limit`. */
    endIdleSessions: (now: number, limit: number): Promise<DeskSessionRow[]> =>
      deleted()
        .where('token_hash', 'in', (query) =>
          query
            .selectFrom('desk_sessions')
            .select('token_hash')
            .where('idle_until', '<=', now)
            .orderBy('idle_until')
            .limit(limit),
        )
        .execute(),
    /** False when the log-out token was accepted before. */
    addLogout: (tokenHash: string, at: number): Promise<boolean> =>
      database.wins(
        database.tables
          .insertInto('desk_logouts')
          .values({ token_hash: tokenHash, at })
          .onConflict((conflict) => conflict.column('token_hash').doNothing()),
      ),
  }
}
