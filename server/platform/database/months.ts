import { type QueryExecutorProvider, sql } from 'kysely'
import type { Database } from './database.ts'
import {
  type MonthlyTable,
  monthlyTables,
  monthStart,
  monthsAhead,
  openMonth,
} from './migrations/0019-label-months.ts'
import { deleteOlder } from './pieces.ts'

/** PostgreSQL: a part of a table that is kept by month. */
export const isMonthPart = (name: string): boolean =>
  Object.keys(monthlyTables).some(
    (table) =>
      name.startsWith(`${table}_`) && /^(\d{4}_\d{2}|before|rest)$/.test(name.slice(table.length + 1)),
  )

interface Part {
  readonly name: string
  /** Null: from the beginning. */
  readonly from: number | null
  /** Null: the part for every time that has no other. */
  readonly until: number | null
}

/** Without a part that another gateway drops meanwhile: it has no bounds any more, which is read once. */
async function listParts(db: QueryExecutorProvider, table: MonthlyTable): Promise<readonly Part[]> {
  const bound = (side: string) => sql`substring(bounds from ${`${side} \\('?(\\d+)'?\\)`})::bigint`
  const { rows } = await sql<Part>`SELECT name, ${bound('FROM')} AS "from", ${bound('TO')} AS "until"
    FROM (SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bounds
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = ${table}::regclass OFFSET 0) AS parts
    WHERE bounds IS NOT NULL ORDER BY "from" NULLS FIRST`.execute(db)
  return rows
}

/** In an empty table: a part for each month of its rows to come. */
export async function openMonthsFor(
  db: QueryExecutorProvider,
  table: MonthlyTable,
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
): Promise<void> {
  for (let at = monthStart(oldest); at <= newest; at = monthStart(at, 1))
    await sql.raw(openMonth(table, at)).execute(db)
}

interface Keeping {
  readonly now: number
  readonly keepMs: number
  /** Rows that are deleted at once, where they are not dropped. */
  readonly limit: number
}

/** What has to wait for a lock longer than this is left to the next round: what comes to read the table would wait behind it. */
const lockMs = 100
const lockNotAvailable = '55P03'

/**
 * PostgreSQL: creates the months to come, and drops a month, whole, once its first moment is `keepMs` ago: no row lives longer,
 * and none less than a month less. Where a part is no month, rows go by their age. Several gateways may call it at once.
 */
export async function keepMonths(
  database: Database,
  table: MonthlyTable,
  { now, keepMs, limit }: Keeping,
): Promise<{ readonly rows: number; readonly more: boolean }> {
  const parts = await listParts(database.tables, table)
  await createMissing(database, table, parts, now)
  const by = monthlyTables[table]
  const before = now - keepMs
  for (const { name, from, until } of parts) {
    const isMonth = from !== null
    if (until !== null && (isMonth ? from : until) < before) {
      const rows = await dropPart(database, name)
      if (rows !== undefined) return { rows, more: true }
    }
    if (isMonth) continue
    const rows = await deleteOlder(database, { from: name, by, before, limit })
    if (rows > 0) return { rows, more: true }
  }
  return { rows: 0, more: false }
}

/** A month of which rows lie elsewhere already is not created: they and its next ones go by their age, where they are. */
async function createMissing(
  database: Database,
  table: MonthlyTable,
  parts: readonly Part[],
  now: number,
): Promise<void> {
  const missing = Array.from({ length: monthsAhead + 1 }, (_, later) => monthStart(now, later)).filter(
    (start) => !parts.some(({ from, until }) => until !== null && (from ?? 0) <= start && start < until),
  )
  const by = sql.ref(monthlyTables[table])
  for (const start of missing)
    await changeParts(database, async () => {
      const { rows } = await sql`SELECT 1 FROM ${sql.table(`${table}_rest`)}
        WHERE ${by} >= ${start} AND ${by} < ${monthStart(start, 1)} LIMIT 1`.execute(database.tables)
      if (rows.length === 0) await sql.raw(openMonth(table, start)).execute(database.tables)
    })
}

/**
 * Returns how many rows went with it, as PostgreSQL estimates: to count them would take seconds. Undefined where it was left to
 * the next round, or another gateway was first.
 */
async function dropPart(database: Database, name: string): Promise<number | undefined> {
  return changeParts(database, async () => {
    const { rows } = await sql<{ rows: number }>`SELECT greatest(reltuples, 0)::bigint AS rows
      FROM pg_class WHERE oid = to_regclass(${name})`.execute(database.tables)
    if (rows[0] === undefined) return undefined
    await sql`DROP TABLE ${sql.table(name)}`.execute(database.tables)
    return rows[0].rows
  })
}

/** One gateway at a time changes what parts there are. Undefined where another one does, or the table is being read for long. */
async function changeParts<T>(database: Database, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await database.transaction(async () => {
      const { rows } = await sql<{ isOurs: boolean }>`
        SELECT pg_try_advisory_xact_lock(hashtextextended('months', 0)) AS "isOurs"`.execute(database.tables)
      if (!rows[0]?.isOurs) return undefined
      await sql`SELECT set_config('lock_timeout', ${String(lockMs)}, true)`.execute(database.tables)
      return await work()
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return undefined
    throw error
  }
}
