import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import { deleteOlder, deletePiece } from '#server/platform/database/pieces.ts'
import { preparedFirst, preparedToSend } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Subject } from './sessions.rules.ts'

type AgentRow = Row<'agents'>
export type SessionRow = Row<'sessions'>
export type NewSession = Omit<SessionRow, 'wrong_confirmations'>

// These statements are prepared, because every request runs one of them.
export const findSession = preparedFirst(({ database }: QueryCore, tokenHash: string, now: number) =>
  database.tables
    .selectFrom('sessions')
    .leftJoin('agents', (join) =>
      join.onRef('agents.id', '=', 'sessions.subject_id').on('sessions.role', '=', sql.lit('agent')),
    )
    .selectAll('sessions')
    .select(['agents.phone as agent_phone', 'agents.name as agent_name', 'agents.partner_agent_id'])
    .where('token_hash', '=', tokenHash)
    .where('idle_until', '>', now)
    .where('ends_at', '>', now),
)

export type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>

export const findUserSession = preparedFirst(({ database }: QueryCore, tokenHash: string, now: number) =>
  database.tables
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.subject_id')
    .select(['token_hash', 'role', 'last_seen_at', 'ends_at'])
    .select(['users.id', 'name', 'phone', 'language', 'messages', 'email'])
    .where('token_hash', '=', tokenHash)
    .where('role', '=', sql.lit('user'))
    .where('idle_until', '>', now)
    .where('ends_at', '>', now)
    .where('deleted_at', 'is', null),
)

export const addSession = preparedToSend(({ database }: QueryCore, session: NewSession) =>
  database.tables.insertInto('sessions').values({
    token_hash: session.token_hash,
    id: session.id,
    device: session.device,
    role: session.role,
    subject_id: session.subject_id,
    created_at: session.created_at,
    last_seen_at: session.last_seen_at,
    idle_until: session.idle_until,
    ends_at: session.ends_at,
  }),
)

export async function touchSession(
  { database }: QueryCore,
  tokenHash: string,
  now: number,
  idleUntil: number,
): Promise<void> {
  await database.tables
    .updateTable('sessions')
    .set({ last_seen_at: now, idle_until: idleUntil })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export const listSessionRows = (
  { database }: QueryCore,
  { role, subject }: Subject,
  now: number,
  limit: number,
): Promise<SessionRow[]> =>
  database.tables
    .selectFrom('sessions')
    .selectAll()
    .where('role', '=', role)
    .where('subject_id', '=', subject)
    .where('idle_until', '>', now)
    .where('ends_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function listNewestSessions(
  { database }: QueryCore,
  userIds: readonly number[],
  now: number,
): Promise<{ subject_id: number; created_at: number }[]> {
  if (userIds.length === 0) return []
  return database.tables
    .selectFrom('sessions')
    .select((session) => ['subject_id', session.fn.max('created_at').as('created_at')])
    .where('role', '=', 'user')
    .where('subject_id', 'in', userIds)
    .where('idle_until', '>', now)
    .where('ends_at', '>', now)
    .groupBy('subject_id')
    .execute()
}

const deleteFromSessions = ({ database }: QueryCore) => database.tables.deleteFrom('sessions')

export async function deleteSession(core: QueryCore, tokenHash: string): Promise<void> {
  await core.database.send(deleteFromSessions(core).where('token_hash', '=', tokenHash))
}

export const deleteSessionOf = (core: QueryCore, { role, subject }: Subject, id: string): Promise<boolean> =>
  core.database.wins(
    deleteFromSessions(core).where('role', '=', role).where('subject_id', '=', subject).where('id', '=', id),
  )

export const deleteSessionsOf = (core: QueryCore, { role, subject }: Subject): Promise<number> =>
  core.database.changes(deleteFromSessions(core).where('role', '=', role).where('subject_id', '=', subject))

export async function deleteSessionsOfFormer(
  core: QueryCore,
  partnerAgentId: string,
  phone: string,
): Promise<void> {
  await core.database.send(
    deleteFromSessions(core)
      .where('role', '=', 'agent')
      .where('subject_id', 'in', (query) =>
        query
          .selectFrom('agents')
          .select('agents.id')
          .where('partner_agent_id', '=', partnerAgentId)
          .where('phone', '!=', phone),
      ),
  )
}

export const deleteExpiredSessions = (
  { database }: QueryCore,
  before: number,
  limit: number,
): Promise<number> => deleteOlder(database, { from: 'sessions', by: 'idle_until', before, limit })

export const deleteBegunSessions = ({ database }: QueryCore, until: number, limit: number): Promise<number> =>
  deletePiece(database, {
    from: 'sessions',
    // `created_at` has no index, so the statement uses the index of `idle_until`.
    where: sql`idle_until > 0 AND created_at <= ${until}`,
    by: 'idle_until',
    limit,
  })

export const ensureAgent = (
  { database }: QueryCore,
  {
    partnerAgentId,
    name,
    phone,
  }: { readonly partnerAgentId: string; readonly name: string; readonly phone: string },
  now: number,
): Promise<AgentRow> =>
  database.tables
    .insertInto('agents')
    .values({
      partner_agent_id: partnerAgentId,
      name,
      phone,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('partner_agent_id').doUpdateSet({ name, phone }))
    .returningAll()
    .executeTakeFirstOrThrow()
