import type { Generated, Selectable } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Audience } from './sessions.rules.ts'

interface UsersTable {
  id: Generated<number>
  /** E.164; of a deleted user something no phone can be, so that the number is free for somebody new. */
  phone: string
  name: string
  created_at: number
  deleted_at: number | null
}

interface AgentsTable {
  id: Generated<number>
  partner_agent_id: string
  name: string
  phone: string
  created_at: number
}

interface SessionsTable {
  token_hash: string
  /** What its owner calls it by: it opens nothing. */
  id: string
  /** See devices.rules.ts; empty where it is not known. */
  device: string
  role: Audience
  subject_id: number
  created_at: number
  last_seen_at: number
  idle_until: number
  ends_at: number
}

interface SessionsTables {
  users: UsersTable
  agents: AgentsTable
  sessions: SessionsTable
}

export type UserRow = Selectable<UsersTable>
export type AgentRow = Selectable<AgentsTable>
export type SessionRow = Selectable<SessionsTable>

/** What the sessions room needs remembered. Times are epoch milliseconds; phones are E.164. */
export interface SessionsStore {
  findUserByPhone(phone: string): Promise<UserRow | undefined>
  /** The deleted are not among them. */
  findUsers(ids: readonly number[]): Promise<UserRow[]>
  /** A user who cannot be deleted before the transaction around it ends; undefined when deleted or never there. */
  holdUser(id: number): Promise<UserRow | undefined>
  /** Takes name and phone from a user; `false` when that was done before, or the phone is another one by now. */
  deleteUser(id: number, phone: string, now: number): Promise<boolean>
  /** The user of a phone, made if new; a known user keeps the name. */
  ensureUser(phone: string, name: string, now: number): Promise<UserRow>
  findAgent(id: number): Promise<AgentRow | undefined>
  /** The agent behind the partner's id, made if new, with the partner's present name and phone. */
  ensureAgent(agent: { partnerAgentId: string; name: string; phone: string }, now: number): Promise<AgentRow>
  addSession(session: SessionRow): Promise<void>
  /** A session that has not ended; undefined otherwise. */
  findSession(tokenHash: string, now: number): Promise<SessionRow | undefined>
  touchSession(tokenHash: string, now: number, idleUntil: number): Promise<void>
  endSession(tokenHash: string): Promise<void>
  /** The live sessions of somebody, the last used first. */
  listSessions(role: Audience, subjectId: number, now: number, limit: number): Promise<SessionRow[]>
  /** Ends one session of somebody; `false` when it is not theirs or not there. */
  endSessionOf(role: Audience, subjectId: number, id: string): Promise<boolean>
  /** Ends all sessions of somebody; answers how many. */
  endSessionsOf(role: Audience, subjectId: number): Promise<number>
  /** Ends the sessions that were opened by another phone than the agent has now. */
  endSessionsOfFormer(partnerAgentId: string, phone: string): Promise<void>
  /** Deletes sessions that ended before `before`; answers how many rows. */
  forget(before: number): Promise<number>
}

export function createSessionsStore(database: Database): SessionsStore {
  const tables = () => database.tables<SessionsTables>()
  return {
    findUserByPhone: (phone) =>
      tables().selectFrom('users').selectAll().where('phone', '=', phone).executeTakeFirst(),
    async findUsers(ids) {
      if (ids.length === 0) return []
      return tables()
        .selectFrom('users')
        .selectAll()
        .where('id', 'in', [...ids])
        .where('deleted_at', 'is', null)
        .execute()
    },
    holdUser: (id) =>
      tables()
        .selectFrom('users')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        // SQLite has one writer at a time: whoever deletes is before the whole transaction or after it.
        .$if(database.engine === 'postgres', (query) => query.forShare())
        .executeTakeFirst(),
    async deleteUser(id, phone, now) {
      const won = await tables()
        .updateTable('users')
        .set({ phone: `deleted-${id}`, name: '', deleted_at: now })
        .where('id', '=', id)
        .where('phone', '=', phone)
        .where('deleted_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    ensureUser: (phone, name, now) =>
      tables()
        .insertInto('users')
        .values({ phone, name, created_at: now })
        // Setting the phone to itself changes nothing and lets the statement return the row that was there.
        .onConflict((conflict) => conflict.column('phone').doUpdateSet({ phone }))
        .returningAll()
        .executeTakeFirstOrThrow(),
    findAgent: (id) => tables().selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst(),
    ensureAgent: ({ partnerAgentId, name, phone }, now) =>
      tables()
        .insertInto('agents')
        .values({ partner_agent_id: partnerAgentId, name, phone, created_at: now })
        .onConflict((conflict) => conflict.column('partner_agent_id').doUpdateSet({ name, phone }))
        .returningAll()
        .executeTakeFirstOrThrow(),
    async addSession(session) {
      await tables().insertInto('sessions').values(session).execute()
    },
    findSession: (tokenHash, now) =>
      tables()
        .selectFrom('sessions')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('idle_until', '>', now)
        .where('ends_at', '>', now)
        .executeTakeFirst(),
    async touchSession(tokenHash, now, idleUntil) {
      await tables()
        .updateTable('sessions')
        .set({ last_seen_at: now, idle_until: idleUntil })
        .where('token_hash', '=', tokenHash)
        .execute()
    },
    async endSession(tokenHash) {
      await tables().deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
    },
    listSessions: (role, subjectId, now, limit) =>
      tables()
        .selectFrom('sessions')
        .selectAll()
        .where('role', '=', role)
        .where('subject_id', '=', subjectId)
        .where('idle_until', '>', now)
        .where('ends_at', '>', now)
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),
    async endSessionOf(role, subjectId, id) {
      const ended = await tables()
        .deleteFrom('sessions')
        .where('role', '=', role)
        .where('subject_id', '=', subjectId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return ended !== undefined
    },
    async endSessionsOf(role, subjectId) {
      const { numDeletedRows } = await tables()
        .deleteFrom('sessions')
        .where('role', '=', role)
        .where('subject_id', '=', subjectId)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
    async endSessionsOfFormer(partnerAgentId, phone) {
      await tables()
        .deleteFrom('sessions')
        .where('role', '=', 'agent')
        .where('subject_id', 'in', (query) =>
          query
            .selectFrom('agents')
            .select('agents.id')
            .where('partner_agent_id', '=', partnerAgentId)
            .where('phone', '!=', phone),
        )
        .execute()
    },
    async forget(before) {
      const sessions = await tables()
        .deleteFrom('sessions')
        .where('idle_until', '<', before)
        .executeTakeFirst()
      return Number(sessions.numDeletedRows)
    },
  }
}
