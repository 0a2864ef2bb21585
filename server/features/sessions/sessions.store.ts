import { randomUUID } from 'node:crypto'
import type { Generated, Selectable } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Audience } from './sessions.rules.ts'

interface UsersTable {
  id: Generated<number>
  phone: string
  name: string
  created_at: number
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
  role: Audience
  subject_id: number
  created_at: number
  last_seen_at: number
  idle_until: number
  ends_at: number
}

interface ChallengesTable {
  id: string
  audience: Audience
  phone: string
  browser_hash: string
  provider_ref: string | null
  state: 'sent' | 'proven' | 'spent'
  checks: number
  sent_at: number
  expires_at: number
}

interface CountersTable {
  audience: Audience
  phone: string
  last_sent_at: number
}

interface SessionsTables {
  users: UsersTable
  agents: AgentsTable
  sessions: SessionsTable
  otp_challenges: ChallengesTable
  otp_counters: CountersTable
}

export type UserRow = Selectable<UsersTable>
export type AgentRow = Selectable<AgentsTable>
export type SessionRow = Selectable<SessionsTable>
export type ChallengeRow = Selectable<ChallengesTable>

/** What the sessions room needs remembered. Times are epoch milliseconds; phones are E.164. */
export interface SessionsStore {
  /** Takes the right to send a code to a phone; `false` when one was sent less than `resendMs` ago. One winner at a time. */
  claimSend(audience: Audience, phone: string, now: number, resendMs: number): Promise<boolean>
  /** Gives the right back after a send that failed, so that the person need not wait for nothing. */
  releaseSend(audience: Audience, phone: string, claimedAt: number): Promise<void>
  /** When a code was last sent; undefined when never. */
  findLastSend(audience: Audience, phone: string): Promise<number | undefined>
  /** Keeps a challenge that was sent; the older ones of the same phone and browser are spent. */
  addChallenge(challenge: Omit<ChallengeRow, 'id' | 'state' | 'checks'>): Promise<void>
  /** The newest challenge of a phone in a browser that is not spent and has not run out; else undefined. */
  findChallenge(
    audience: Audience,
    phone: string,
    browserHash: string,
    now: number,
  ): Promise<ChallengeRow | undefined>
  /** Counts one more check before the code is compared; undefined when none is left. */
  countCheck(id: string, maxChecks: number, now: number): Promise<ChallengeRow | undefined>
  /** Marks the code as proven; `false` when somebody else was first. */
  prove(id: string, provenUntil: number): Promise<boolean>
  /** Uses a proven challenge up; `false` when it is not proven or has run out. */
  spend(id: string, now: number): Promise<boolean>
  findUserByPhone(phone: string): Promise<UserRow | undefined>
  findUsers(ids: readonly number[]): Promise<UserRow[]>
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
  /** Deletes sessions, challenges and counters that ended before `before`; answers how many rows. */
  forget(before: number): Promise<number>
}

export function createSessionsStore(database: Database): SessionsStore {
  const tables = () => database.tables<SessionsTables>()
  return {
    async claimSend(audience, phone, now, resendMs) {
      const won = await tables()
        .insertInto('otp_counters')
        .values({ audience, phone, last_sent_at: now })
        .onConflict((conflict) =>
          conflict
            .columns(['audience', 'phone'])
            .doUpdateSet({ last_sent_at: now })
            .where('otp_counters.last_sent_at', '<=', now - resendMs),
        )
        .returning('phone')
        .executeTakeFirst()
      return won !== undefined
    },
    async releaseSend(audience, phone, claimedAt) {
      await tables()
        .deleteFrom('otp_counters')
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .where('last_sent_at', '=', claimedAt)
        .execute()
    },
    async findLastSend(audience, phone) {
      const row = await tables()
        .selectFrom('otp_counters')
        .select('last_sent_at')
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .executeTakeFirst()
      return row?.last_sent_at
    },
    async addChallenge(challenge) {
      await database.transaction(async () => {
        await tables()
          .updateTable('otp_challenges')
          .set({ state: 'spent' })
          .where('audience', '=', challenge.audience)
          .where('phone', '=', challenge.phone)
          .where('browser_hash', '=', challenge.browser_hash)
          .execute()
        await tables()
          .insertInto('otp_challenges')
          .values({ id: randomUUID(), state: 'sent', checks: 0, ...challenge })
          .execute()
      })
    },
    findChallenge: (audience, phone, browserHash, now) =>
      tables()
        .selectFrom('otp_challenges')
        .selectAll()
        .where('audience', '=', audience)
        .where('phone', '=', phone)
        .where('browser_hash', '=', browserHash)
        .where('state', '!=', 'spent')
        .where('expires_at', '>', now)
        .orderBy('sent_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    countCheck: (id, maxChecks, now) =>
      tables()
        .updateTable('otp_challenges')
        .set((expression) => ({ checks: expression('checks', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'sent')
        .where('checks', '<', maxChecks)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst(),
    async prove(id, provenUntil) {
      const won = await tables()
        .updateTable('otp_challenges')
        .set({ state: 'proven', expires_at: provenUntil })
        .where('id', '=', id)
        .where('state', '=', 'sent')
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    async spend(id, now) {
      const won = await tables()
        .updateTable('otp_challenges')
        .set({ state: 'spent' })
        .where('id', '=', id)
        .where('state', '=', 'proven')
        .where('expires_at', '>', now)
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
    findUserByPhone: (phone) =>
      tables().selectFrom('users').selectAll().where('phone', '=', phone).executeTakeFirst(),
    async findUsers(ids) {
      if (ids.length === 0) return []
      return tables()
        .selectFrom('users')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute()
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
    async forget(before) {
      const sessions = await tables()
        .deleteFrom('sessions')
        .where('idle_until', '<', before)
        .executeTakeFirst()
      const challenges = await tables()
        .deleteFrom('otp_challenges')
        .where('expires_at', '<', before)
        .executeTakeFirst()
      const counters = await tables()
        .deleteFrom('otp_counters')
        .where('last_sent_at', '<', before)
        .executeTakeFirst()
      return Number(sessions.numDeletedRows + challenges.numDeletedRows + counters.numDeletedRows)
    },
  }
}
