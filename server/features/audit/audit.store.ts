import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type ActionRow = Row<'operator_actions'>
export type NewAction = Pick<
  ActionRow,
  'at' | 'actor' | 'action' | 'order_id' | 'user_id' | 'subject' | 'reason'
> &
  Partial<Pick<ActionRow, 'actor_issuer' | 'actor_subject' | 'actor_roles'>>
type Change = Pick<ActionRow, 'before' | 'after'>
export type StaffActionRow = Omit<ActionRow, 'id' | 'actor_roles'> & Partial<Pick<ActionRow, 'actor_roles'>>
export type ActRow = Row<'desk_acts'>
type ActKey = Pick<ActRow, 'issuer' | 'subject' | 'key'>

/** Tables whose rows stand for work. */
export type Queue = 'bookings' | 'tracked_bookings' | 'messages' | 'claims' | 'payment_attempts' | 'refunds'

const mostCounted = 1_000

export interface AuditQuery {
  /** Of numbers below. */
  readonly before: number
  readonly issuer: string
  readonly subject?: string | undefined
  readonly orderId?: number | undefined
  readonly userId?: number | undefined
  readonly action?: string | undefined
  readonly limit: number
}

type DoneBy = Pick<StaffActionRow, 'actor_issuer' | 'actor_subject' | 'action'>

export type AuditStore = ReturnType<typeof createAuditStore>

/** What operators and staff did, and the requests of staff that were carried out. Times are epoch milliseconds. */
export function createAuditStore(database: Database) {
  const newest = (limit: number) =>
    database.tables.selectFrom('operator_actions').selectAll().orderBy('id', 'desc').limit(limit)
  const doneBy = ({ actor_issuer, actor_subject, action }: DoneBy, since: number) =>
    database.tables
      .selectFrom('operator_actions')
      .select('at')
      .where('actor_issuer', '=', actor_issuer)
      .where('actor_subject', '=', actor_subject)
      .where('action', '=', action)
      .where('at', '>', since)

  return {
    ...createActs(database),

    /**
     * Stores an action, whose change is not known yet; returns its number. The first statement of the action's
     * transaction: on SQLite one that has begun to read may not write once another process has written.
     */
    async beginAction(action: NewAction): Promise<number> {
      const { id } = await database.tables
        .insertInto('operator_actions')
        .values({ ...action, before: '{}', after: '{}' })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    /** Stores what staff did or looked at; returns its number. */
    async addAction(action: StaffActionRow): Promise<number> {
      const { id } = await database.tables
        .insertInto('operator_actions')
        .values(action)
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    /** The newest sign-in at the desk of a subject after `since`. */
    async findSignIn(subject: string, since: number): Promise<ActionRow | undefined> {
      const newestOf = (action: string) =>
        newest(1)
          .where('action', '=', action)
          .where('actor_subject', '=', subject)
          .where('at', '>', since)
          .executeTakeFirst()
      const [first, again] = [await newestOf('desk-sign-in'), await newestOf('desk-sign-in-again')]
      return (again?.id ?? 0) > (first?.id ?? 0) ? again : first
    },

    /** When a person of the desk did this after `since`, the newest first, at most `limit` times. */
    async listTimes(action: DoneBy, since: number, limit: number): Promise<number[]> {
      const rows = await doneBy(action, since).orderBy('at', 'desc').limit(limit).execute()
      return rows.map(({ at }) => at)
    },

    /** Whether a person of the desk did this with an order, or with something of it, after `since`. */
    async hasAction(
      { order_id, subject, ...action }: DoneBy & Pick<StaffActionRow, 'order_id' | 'subject'>,
      since: number,
    ): Promise<boolean> {
      const row = await doneBy(action, since)
        .where('order_id', '=', order_id)
        .where('subject', subject === null ? 'is' : '=', subject)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** What was stored as done was refused. */
    async setAction(id: number, action: string): Promise<void> {
      await database.tables.updateTable('operator_actions').set({ action }).where('id', '=', id).execute()
    },

    /** Stores what an action has changed, and whose it was. */
    async finishAction(id: number, change: Change & Pick<ActionRow, 'user_id'>): Promise<void> {
      await database.tables.updateTable('operator_actions').set(change).where('id', '=', id).execute()
    },

    /** The newest actions since a time, newest first. */
    listActions: (since: number, limit: number): Promise<ActionRow[]> =>
      database.tables
        .selectFrom('operator_actions')
        .selectAll()
        .where('at', '>=', since)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** Rows of which there is work to do now, to 1,000. */
    async countDue(queue: Queue): Promise<number> {
      const rows = await database.tables
        .selectFrom(queue)
        .select('due_at')
        .where('due_at', 'is not', null)
        .where('due_at', '<=', database.now())
        .limit(mostCounted)
        .execute()
      return rows.length
    },

    /** The newest actions before a number, of a person, about an order or user, or of a kind: by one index each. */
    listBefore: ({
      before,
      issuer,
      subject,
      orderId,
      userId,
      action,
      limit,
    }: AuditQuery): Promise<ActionRow[]> =>
      newest(limit)
        .where('id', '<', before)
        .$if(subject !== undefined, (rows) =>
          rows.where('actor_issuer', '=', issuer).where('actor_subject', '=', subject ?? ''),
        )
        .$if(orderId !== undefined, (rows) => rows.where('order_id', '=', orderId ?? 0))
        .$if(userId !== undefined, (rows) => rows.where('user_id', '=', userId ?? 0))
        .$if(action !== undefined, (rows) => rows.where('action', '=', action ?? ''))
        .execute(),

    /** Who has done anything, by name: each found by the index from the one before, whatever the number of actions. */
    async listPeople(issuer: string): Promise<{ id: string; name: string }[]> {
      const { rows } = await sql<{ id: string; name: string }>`
        WITH RECURSIVE people (id) AS (
          SELECT min(actor_subject) FROM operator_actions
          WHERE actor_issuer = ${issuer} AND actor_subject IS NOT NULL
          UNION ALL
          SELECT (SELECT min(actor_subject) FROM operator_actions
            WHERE actor_issuer = ${issuer} AND actor_subject > people.id)
          FROM people WHERE people.id IS NOT NULL
        )
        SELECT people.id, (SELECT actor FROM operator_actions
          WHERE actor_issuer = ${issuer} AND actor_subject = people.id ORDER BY id DESC LIMIT 1) AS name
        FROM people WHERE people.id IS NOT NULL`.execute(database.tables)
      return rows.toSorted((one, other) => one.name.localeCompare(other.name))
    },

    /** The newest actions about an order, newest first. */
    listActionsOfOrder: (orderId: number, limit: number): Promise<ActionRow[]> =>
      newest(limit).where('order_id', '=', orderId).execute(),

    /** The newest action of these kinds about an order. */
    findLastOfOrder: (orderId: number, actions: readonly string[]): Promise<ActionRow | undefined> =>
      newest(1).where('order_id', '=', orderId).where('action', 'in', actions).executeTakeFirst(),

    /** The newest action of a kind about a user. */
    findLastOfUser: (userId: number, action: string): Promise<ActionRow | undefined> =>
      newest(1).where('user_id', '=', userId).where('action', '=', action).executeTakeFirst(),

    /** Actions of a kind about a user after `since`. */
    async countOfUser(userId: number, action: string, since: number): Promise<number> {
      const { count } = await database.tables
        .selectFrom('operator_actions')
        .select((row) => row.fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .where('action', '=', action)
        .where('at', '>', since)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** The newest actions about a user, newest first. */
    listActionsOfUser: (userId: number, limit: number): Promise<ActionRow[]> =>
      newest(limit).where('user_id', '=', userId).execute(),
  }
}

function createActs(database: Database) {
  return {
    /** True for the first request under its key. Of two at once the second waits for the first to end. */
    async beginAct(act: Omit<ActRow, 'answer'>): Promise<boolean> {
      database.assertTransaction()
      return database.wins(
        database.tables
          .insertInto('desk_acts')
          .values({ ...act, answer: '{}' })
          .onConflict((conflict) => conflict.doNothing()),
      )
    },

    findAct: ({ issuer, subject, key }: ActKey) =>
      database.tables
        .selectFrom('desk_acts')
        .selectAll()
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where('key', '=', key)
        .executeTakeFirst(),

    async finishAct({ issuer, subject, key }: ActKey, answer: string) {
      await database.tables
        .updateTable('desk_acts')
        .set({ answer })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where('key', '=', key)
        .execute()
    },
  }
}
