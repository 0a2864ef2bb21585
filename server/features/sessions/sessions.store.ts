import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { orDuplicate } from '#server/platform/database/duplicates.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'
import { preparedChanges, preparedFirst, preparedForEach } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import { createConfirmationsStore } from './confirmations.store.ts'
import type { Role, SmsRefusal } from './sessions.rules.ts'

export type UserRow = Row<'users'>
export type AgentRow = Row<'agents'>
export type SessionRow = Row<'sessions'>
export type NewSession = Omit<SessionRow, 'wrong_confirmations'>

/** A session, and of an agent's its agent. */
export type PrincipalRow = SessionRow & {
  readonly agent_phone: string | null
  readonly partner_agent_id: string | null
}

/** A session and its user. */
export type UserSessionRow = Pick<SessionRow, 'token_hash' | 'role' | 'last_seen_at' | 'ends_at'> &
  Pick<UserRow, 'id' | 'name' | 'phone' | 'language' | 'messages' | 'email'>

export type SessionsStore = ReturnType<typeof createSessionsStore>

interface Lookup {
  readonly tokenHash: string
  readonly now: number
}

/** That no user but this one has a phone or an address. */
const isOfNoOther = (column: 'phone' | 'email', value: string, id: number) =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM users AS other WHERE other.${sql.ref(column)} = ${value} AND other.id != ${id})`

/** Users, agents and their sessions. Times are epoch milliseconds; phones are E.164. */
export function createSessionsStore(database: Database) {
  const users = () => database.tables.selectFrom('users').selectAll()
  const updateUsers = () => database.tables.updateTable('users')
  const deleteSessions = () => database.tables.deleteFrom('sessions')
  // Prepared, because every request runs one of them.
  const liveSession = preparedFirst<Lookup, PrincipalRow>(database, (parameter) =>
    database.tables
      .selectFrom('sessions')
      .leftJoin('agents', (join) =>
        join.onRef('agents.id', '=', 'sessions.subject_id').on('sessions.role', '=', sql.lit('agent')),
      )
      .selectAll('sessions')
      .select(['agents.phone as agent_phone', 'agents.partner_agent_id'])
      .where('token_hash', '=', parameter('tokenHash'))
      .where('idle_until', '>', parameter('now'))
      .where('ends_at', '>', parameter('now')),
  )
  const liveUserSession = preparedFirst<Lookup, UserSessionRow>(database, (parameter) =>
    database.tables
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.subject_id')
      .select(['token_hash', 'role', 'last_seen_at', 'ends_at'])
      .select(['users.id', 'name', 'phone', 'language', 'messages', 'email'])
      .where('token_hash', '=', parameter('tokenHash'))
      .where('role', '=', sql.lit('user'))
      .where('idle_until', '>', parameter('now'))
      .where('ends_at', '>', parameter('now'))
      .where('deleted_at', 'is', null),
  )
  const ofPhone = preparedFirst<{ phone: string }, UserRow>(database, (given) =>
    users().where('phone', '=', given('phone')),
  )
  const locked = preparedFirst<{ id: number }, UserRow>(database, (given) =>
    users()
      .where('id', '=', given('id'))
      .where('deleted_at', 'is', null)
      // On SQLite transactions run one after the other, so no deletion happens during this one.
      .$if(database.engine === 'postgres', (query) => query.forShare()),
  )
  const ensured = preparedFirst<
    { phone: string; name: string; now: number; language: string | null },
    UserRow
  >(database, (given) =>
    database.tables
      .insertInto('users')
      .values({
        phone: given('phone'),
        name: given('name'),
        created_at: given('now'),
        language: given('language'),
      })
      // Without an update the statement would not return the existing row.
      .onConflict((conflict) => conflict.column('phone').doUpdateSet({ phone: given('phone') }))
      .returningAll(),
  )
  const agentOf = preparedFirst<{ id: number }, AgentRow>(database, (given) =>
    database.tables.selectFrom('agents').selectAll().where('id', '=', given('id')),
  )
  const addedSession = preparedChanges<NewSession>(database, (given) =>
    database.tables.insertInto('sessions').values({
      token_hash: given('token_hash'),
      id: given('id'),
      device: given('device'),
      role: given('role'),
      subject_id: given('subject_id'),
      created_at: given('created_at'),
      last_seen_at: given('last_seen_at'),
      idle_until: given('idle_until'),
      ends_at: given('ends_at'),
    }),
  )

  return {
    ...createConfirmationsStore(database),
    findUserByPhone: (phone: string): Promise<UserRow | undefined> => ofPhone({ phone }),
    /** Of these numbers. */
    async listByPhone(phones: readonly string[]): Promise<UserRow[]> {
      return phones.length === 0 ? [] : users().where('phone', 'in', phones).execute()
    },
    /** When each of these users began the newest session that is not over. */
    async listNewestSessions(userIds: readonly number[], now: number) {
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
    },
    /** Without deleted users. */
    findUsers: preparedForEach<number, UserRow>(database, (ids) =>
      users().where('id', 'in', ids).where('deleted_at', 'is', null),
    ),
    /** Inside a transaction: a user who cannot be deleted before it ends; undefined when deleted or unknown. */
    async lockUser(id: number): Promise<UserRow | undefined> {
      database.assertTransaction()
      return locked({ id })
    },
    /** Gives a user another name; false where the name is the same, or the user had none or is deleted. */
    renameUser: (id: number, name: string): Promise<boolean> =>
      database.wins(
        updateUsers()
          .set({ name })
          .where('id', '=', id)
          .where('name', '!=', '')
          .where('name', '!=', name)
          .where('deleted_at', 'is', null),
      ),
    /** The user with the changes; undefined when deleted or unknown. */
    updateUser: (
      id: number,
      change: { readonly name?: string; readonly messages?: 0 | 1 },
    ): Promise<UserRow | undefined> =>
      updateUsers()
        .set(change)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst(),
    /** Removes name and phone of a user; `false` when already removed, or when the phone is not `phone`. */
    async deleteUser(id: number, phone: string, now: number): Promise<boolean> {
      return database.wins(
        updateUsers()
          .set({
            phone: `deleted-${id}`,
            name: '',
            deleted_at: now,
            language: null,
            sms_refused: null,
            email: null,
            email_recovers_from: 0,
          })
          .where('id', '=', id)
          .where('phone', '=', phone)
          .where('deleted_at', 'is', null),
      )
    },
    findUserByEmail: (email: string): Promise<UserRow | undefined> =>
      users().where('email', '=', email).executeTakeFirst(),
    /**
     * Stores a proven address, which recovers the account after `emailWaitMs`; one that the account has already keeps its time. Undefined when deleted or unknown, where another user has it, and while no address is accepted.
     */
    setEmail: (id: number, email: string, now: number): Promise<UserRow | undefined> =>
      updateUsers()
        .set({
          email,
          email_recovers_from: sql`CASE WHEN email = ${email} THEN email_recovers_from ELSE ${sql.lit(now + emailWaitMs)} END`,
        })
        .where('email_refused_until', '<=', now)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where(isOfNoOther('email', email, id))
        .returningAll()
        .executeTakeFirst()
        .catch(orDuplicate),
    /**
     * Removes the address of a user: any, or `email` alone. `refusedUntil`: no address is accepted before. The user; undefined
     * when deleted or unknown.
     */
    removeEmail: (
      id: number,
      { email, refusedUntil }: { readonly email?: string; readonly refusedUntil?: number } = {},
    ): Promise<UserRow | undefined> =>
      updateUsers()
        .set({ email: null, ...(refusedUntil !== undefined && { email_refused_until: refusedUntil }) })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .$if(email !== undefined, (query) => query.where('email', '=', email ?? ''))
        .returningAll()
        .executeTakeFirst(),
    /**
     * Gives the account of `former` another number, if it still has that number, and that address where one is named;
     * undefined otherwise, and where the number has an account of its own.
     */
    changePhone: (
      former: Pick<UserRow, 'id' | 'phone'> & Partial<Pick<UserRow, 'email'>>,
      phone: string,
    ): Promise<UserRow | undefined> =>
      updateUsers()
        .set({ phone, sms_refused: null })
        .where('id', '=', former.id)
        .where('phone', '=', former.phone)
        .$if(former.email !== undefined, (query) => query.where('email', '=', former.email ?? null))
        .where('deleted_at', 'is', null)
        .where(isOfNoOther('phone', phone, former.id))
        .returningAll()
        .executeTakeFirst()
        .catch(orDuplicate),
    /** Stores the link by which a mailbox refuses the account. */
    async addEmailStop(stop: Row<'email_stops'>): Promise<void> {
      await database.tables.insertInto('email_stops').values(stop).execute()
    },
    /** Inside a transaction: takes a link that is valid at `now`, once. */
    async takeEmailStop(tokenHash: string, now: number): Promise<Row<'email_stops'> | undefined> {
      database.assertTransaction()
      return database.tables
        .deleteFrom('email_stops')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
    },
    async deleteEmailStops(userId: number): Promise<void> {
      await database.tables.deleteFrom('email_stops').where('user_id', '=', userId).execute()
    },
    /** Deletes at most `limit` links that have expired; returns how many. */
    deleteEndedStops: (before: number, limit: number): Promise<number> =>
      deletePiece(database, {
        from: 'email_stops',
        where: sql`expires_at < ${before}`,
        by: 'expires_at',
        limit,
      }),
    /** Stores the language of a user. */
    async setLanguage(id: number, language: string): Promise<void> {
      await updateUsers().set({ language }).where('id', '=', id).where('deleted_at', 'is', null).execute()
    },
    /** Stores that the phone gets no messages. */
    async refuseSms(id: number, phone: string, refusal: SmsRefusal): Promise<void> {
      await updateUsers()
        .set({ sms_refused: refusal })
        .where('id', '=', id)
        .where('phone', '=', phone)
        .execute()
    },
    /** A code sent by SMS was entered: the number can get SMS. What its owner refused stays refused. */
    async allowSms(id: number): Promise<void> {
      await updateUsers()
        .set({ sms_refused: null })
        .where('id', '=', id)
        .where('sms_refused', '=', 'phone')
        .execute()
    },
    /** The user of a phone, created if new; an existing user keeps name and language. */
    async ensureUser(
      phone: string,
      name: string,
      now: number,
      language: string | null = null,
    ): Promise<UserRow> {
      const user = await ensured({ phone, name, now, language })
      if (user === undefined) throw new Error('no user was returned')
      return user
    },
    findAgent: (id: number): Promise<AgentRow | undefined> => agentOf({ id }),
    /** The agent of the partner's id, created if new, with the given name and phone. */
    ensureAgent: (
      { partnerAgentId, name, phone }: { partnerAgentId: string; name: string; phone: string },
      now: number,
    ): Promise<AgentRow> =>
      database.tables
        .insertInto('agents')
        .values({ partner_agent_id: partnerAgentId, name, phone, created_at: now })
        .onConflict((conflict) => conflict.column('partner_agent_id').doUpdateSet({ name, phone }))
        .returningAll()
        .executeTakeFirstOrThrow(),
    async addSession(session: NewSession): Promise<void> {
      await addedSession(session)
    },
    /** A session that has not ended, with its agent. */
    findSession: (tokenHash: string, now: number): Promise<PrincipalRow | undefined> =>
      liveSession({ tokenHash, now }),
    /** A user's session that has not ended, with its user. */
    findUserSession: (tokenHash: string, now: number): Promise<UserSessionRow | undefined> =>
      liveUserSession({ tokenHash, now }),
    async touchSession(tokenHash: string, now: number, idleUntil: number): Promise<void> {
      await database.tables
        .updateTable('sessions')
        .set({ last_seen_at: now, idle_until: idleUntil })
        .where('token_hash', '=', tokenHash)
        .execute()
    },
    async endSession(tokenHash: string): Promise<void> {
      await deleteSessions().where('token_hash', '=', tokenHash).execute()
    },
    /** Live sessions of a user or agent, last used first. */
    listSessions: (role: Role, subjectId: number, now: number, limit: number): Promise<SessionRow[]> =>
      database.tables
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
    /** Ends one session of a user or agent; `false` when it is another's or does not exist. */
    async endSessionOf(role: Role, subjectId: number, id: string): Promise<boolean> {
      return database.wins(
        deleteSessions().where('role', '=', role).where('subject_id', '=', subjectId).where('id', '=', id),
      )
    },
    /** Ends all sessions of a user or agent; returns how many. */
    async endSessionsOf(role: Role, subjectId: number): Promise<number> {
      return database.changes(deleteSessions().where('role', '=', role).where('subject_id', '=', subjectId))
    },
    /** Ends the sessions of a partner's agent whose stored phone is not `phone`. */
    async endSessionsOfFormer(partnerAgentId: string, phone: string): Promise<void> {
      await deleteSessions()
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
    /** Deletes at most `limit` sessions whose idle limit is before `before`; returns how many. */
    deleteExpired: (before: number, limit: number): Promise<number> =>
      deletePiece(database, {
        from: 'sessions',
        where: sql`idle_until < ${before}`,
        by: 'idle_until',
        limit,
      }),
    /** Deletes at most `limit` sessions that began then or before; returns how many. */
    deleteBegun: (until: number, limit: number): Promise<number> =>
      deletePiece(database, {
        from: 'sessions',
        // By the index that there is.
        where: sql`idle_until > 0 AND created_at <= ${until}`,
        by: 'idle_until',
        limit,
      }),
  }
}
