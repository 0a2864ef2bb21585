import type { Core } from '#server/core.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { preparedFirst } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { EndedIdentity } from './identity.provider.ts'

export type SessionRow = Row<'desk_sessions'>
type StaffId = Pick<Staff, 'issuer' | 'subject'>

export const findSession = preparedFirst(({ database }: QueryCore, tokenHash: string, now: number) =>
  database.tables
    .selectFrom('desk_sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('idle_until', '>', now)
    .where('ends_at', '>', now),
)

const deleteReturning = ({ database }: Core) => database.tables.deleteFrom('desk_sessions').returningAll()

export async function insertSession({ database }: Core, session: SessionRow): Promise<void> {
  await database.tables.insertInto('desk_sessions').values(session).execute()
}

export async function touchSession(
  { database }: Core,
  tokenHash: string,
  now: number,
  idleUntil: number,
): Promise<void> {
  await database.tables
    .updateTable('desk_sessions')
    .set({ last_seen_at: now, idle_until: idleUntil })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export const deleteSession = (core: Core, tokenHash: string): Promise<SessionRow | undefined> =>
  deleteReturning(core).where('token_hash', '=', tokenHash).executeTakeFirst()

export const deleteAllSessions = (core: Core): Promise<SessionRow[]> => deleteReturning(core).execute()

/** Deletes sessions. With a subject and a `sid`, sessions of the subject without `sid` are deleted, too. */
export const deleteSessionsOf = (
  core: Core,
  { issuer, subject, sid }: Pick<EndedIdentity, 'issuer' | 'subject' | 'sid'>,
): Promise<SessionRow[]> =>
  deleteReturning(core)
    .where('issuer', '=', issuer)
    .$if(subject !== undefined, (rows) => rows.where('subject', '=', subject ?? ''))
    .$if(sid !== undefined, (rows) =>
      rows.where((row) =>
        row.or([row('sid', '=', sid ?? ''), ...(subject === undefined ? [] : [row('sid', 'is', null)])]),
      ),
    )
    .execute()

export const isSignedIn = ({ database }: Core, { issuer, subject }: StaffId, now: number): Promise<boolean> =>
  database.has(
    database.tables
      .selectFrom('desk_sessions')
      .select('token_hash')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('idle_until', '>', now)
      .where('ends_at', '>', now)
      .limit(1),
  )

export const deleteIdleSessionsOf = (
  core: Core,
  { issuer, subject }: StaffId,
  now: number,
): Promise<SessionRow[]> =>
  deleteReturning(core)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('idle_until', '<=', now)
    .execute()

export const deleteIdleSessions = (core: Core, now: number, limit: number): Promise<SessionRow[]> =>
  deleteReturning(core)
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom('desk_sessions')
        .select('token_hash')
        .where('idle_until', '<=', now)
        .orderBy('idle_until')
        .limit(limit),
    )
    .execute()

/** @returns false when the token was accepted before */
export const insertLogout = ({ database }: Core, tokenHash: string, at: number): Promise<boolean> =>
  database.wins(
    database.tables
      .insertInto('desk_logouts')
      .values({ token_hash: tokenHash, at })
      .onConflict((conflict) => conflict.column('token_hash').doNothing()),
  )
