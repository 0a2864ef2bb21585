import { sql } from 'kysely'
import type { Core } from '#server/core.ts'
import type { EventKind } from '#server/features/history/history.kinds.ts'
import type { WorkTable } from '#server/platform/database/leases.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Staff } from '#server/platform/session-scope.ts'

export type ActRow = Row<'desk_acts'>
type ActKey = Pick<ActRow, 'issuer' | 'subject' | 'key'>
type StaffKey = Pick<Staff, 'issuer' | 'subject'>

interface Viewed {
  readonly by: StaffKey
  readonly kind: EventKind
  readonly claimId?: number | undefined
  readonly orderId: number
}

const mostCounted = 1_000

const eventsBy = ({ database }: Core, { issuer, subject }: StaffKey) =>
  database.tables.selectFrom('events').where('actor_issuer', '=', issuer).where('actor_subject', '=', subject)

export async function listTimes(core: Core, by: StaffKey, kind: EventKind, limit: number): Promise<number[]> {
  const rows = await eventsBy(core, by)
    .select('at')
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ at }) => at)
}

export const hasViewed = (
  core: Core,
  { by, kind, claimId, orderId }: Viewed,
  since: number,
): Promise<boolean> =>
  core.database.has(
    eventsBy(core, by)
      .select('id')
      .where(claimId === undefined ? 'order_id' : 'claim_id', '=', claimId ?? orderId)
      .where('kind', '=', kind)
      .where('at', '>', since)
      .limit(1),
  )

/** Lists staff members. The query jumps in the index from one to the next, however many acts they have. */
export async function listPeople(
  { database }: Core,
  issuer: string,
): Promise<{ id: string; name: string }[]> {
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
}

export async function countDue({ database }: Core, table: WorkTable): Promise<number> {
  const rows = await database.tables
    .selectFrom(table)
    .select('due_at')
    .where('due_at', 'is not', null)
    .where('due_at', '<=', database.now())
    .limit(mostCounted)
    .execute()
  return rows.length
}

/** A simultaneous request with the same idempotency key waits. @returns true for the first request */
export async function beginAct({ database }: Core, act: Omit<ActRow, 'answer'>): Promise<boolean> {
  database.assertTransaction()
  return database.wins(
    database.tables
      .insertInto('desk_acts')
      .values({ ...act, answer: '{}' })
      .onConflict((conflict) => conflict.doNothing()),
  )
}

export const findAct = ({ database }: Core, { issuer, subject, key }: ActKey): Promise<ActRow | undefined> =>
  database.tables
    .selectFrom('desk_acts')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('key', '=', key)
    .executeTakeFirst()

export async function finishAct(
  { database }: Core,
  { issuer, subject, key }: ActKey,
  answer: string,
): Promise<void> {
  await database.tables
    .updateTable('desk_acts')
    .set({ answer })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('key', '=', key)
    .execute()
}
