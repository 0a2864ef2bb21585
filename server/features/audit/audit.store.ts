import { sql } from 'kysely'
import { selectActs } from '#server/features/history/acts.ts'
import type { EventKind } from '#server/features/history/history.kinds.ts'
import { type StoredEvent, storedEventOf } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Staff } from '#server/platform/session-scope.ts'

export type ActRow = Row<'desk_acts'>
type ActKey = Pick<ActRow, 'issuer' | 'subject' | 'key'>

/** Tables whose rows stand for work. */
export type Queue = 'bookings' | 'tracked_bookings' | 'messages' | 'claims' | 'payment_attempts' | 'refunds'

const mostCounted = 1_000

interface AuditQuery {
  /** Of ids below. */
  readonly before?: number | undefined
  readonly by?: PersonKey | undefined
  readonly orderId?: number | undefined
  /** The account and its orders. */
  readonly userId?: number | undefined
  readonly kind?: string | undefined
  readonly limit: number
}

type PersonKey = Pick<Staff, 'issuer' | 'subject'>

/** A look at one of these, the first that is named. */
interface Viewed {
  readonly by: PersonKey
  readonly kind: EventKind
  readonly claimId?: number | undefined
  readonly orderId: number
}

export type AuditStore = ReturnType<typeof createAuditStore>

/** What operators and staff did, and the requests of staff that were carried out. Times are epoch milliseconds. */
export function createAuditStore(database: Database) {
  const actsBy = ({ issuer, subject }: PersonKey) =>
    database.tables
      .selectFrom('events')
      .where('actor_issuer', '=', issuer)
      .where('actor_subject', '=', subject)
  const newestActs = ({ before, by, orderId, kind, limit }: AuditQuery) =>
    selectActs(database)
      .selectAll()
      .$if(before !== undefined, (rows) => rows.where('id', '<', before ?? 0))
      .$if(by !== undefined, (rows) =>
        rows.where('actor_issuer', '=', by?.issuer ?? '').where('actor_subject', '=', by?.subject ?? ''),
      )
      .$if(orderId !== undefined, (rows) => rows.where('order_id', '=', orderId ?? 0))
      .$if(kind !== undefined, (rows) => rows.where('kind', '=', (kind ?? '') as EventKind))
      .orderBy('id', 'desc')
      .limit(limit)

  return {
    ...createActs(database),

    /** The newest sign-in at the desk of a subject after `since`. */
    async findSignIn(subject: string, since: number): Promise<StoredEvent | undefined> {
      const newestOf = (kind: EventKind) =>
        selectActs(database)
          .selectAll()
          .where('kind', '=', kind)
          .where('actor_subject', '=', subject)
          .where('at', '>', since)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst()
      const [first, again] = [await newestOf('signed-in'), await newestOf('signed-in-again')]
      const last = (again?.id ?? 0) > (first?.id ?? 0) ? again : first
      return last && storedEventOf(last)
    },

    /** When a person of the desk did this, the newest first, at most `limit` times. */
    async listTimes(by: PersonKey, kind: EventKind, limit: number): Promise<number[]> {
      const rows = await actsBy(by)
        .select('at')
        .where('kind', '=', kind)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ at }) => at)
    },

    /** Whether a person of the desk has looked at a claim, or at an order, after `since`. */
    async hasViewed({ by, kind, claimId, orderId }: Viewed, since: number): Promise<boolean> {
      const row = await actsBy(by)
        .select('id')
        .where(claimId === undefined ? 'order_id' : 'claim_id', '=', claimId ?? orderId)
        .where('kind', '=', kind)
        .where('at', '>', since)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

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

    /** Acts of staff and operators, the newest first. */
    async listActs(query: AuditQuery): Promise<StoredEvent[]> {
      const { userId, limit } = query
      if (userId === undefined) return (await newestActs(query).execute()).map(storedEventOf)
      const orders = await database.tables
        .selectFrom('orders')
        .select('id')
        .where('user_id', '=', userId)
        .execute()
      const ids = orders.map(({ id }) => id)
      const rows = await newestActs(query).where('user_id', '=', userId).execute()
      if (ids.length > 0)
        rows.push(
          ...(await newestActs(query).where('user_id', 'is', null).where('order_id', 'in', ids).execute()),
        )
      return rows
        .toSorted((one, other) => other.id - one.id)
        .slice(0, limit)
        .map(storedEventOf)
    },

    /** Who has done anything, by name: each found by the index from the one before, whatever the number of acts. */
    async listPeople(issuer: string): Promise<{ id: string; name: string }[]> {
      const { rows } = await sql<{ id: string; name: string }>`
        WITH RECURSIVE people (id) AS (
          SELECT min(actor_subject) FROM events
          WHERE actor_issuer = ${issuer} AND actor_subject IS NOT NULL
          UNION ALL
          SELECT (SELECT min(actor_subject) FROM events
            WHERE actor_issuer = ${issuer} AND actor_subject > people.id)
          FROM people WHERE people.id IS NOT NULL
        )
        SELECT people.id, (SELECT actor_name FROM events
          WHERE actor_issuer = ${issuer} AND actor_subject = people.id ORDER BY id DESC LIMIT 1) AS name
        FROM people WHERE people.id IS NOT NULL`.execute(database.tables)
      return rows.toSorted((one, other) => one.name.localeCompare(other.name))
    },
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
