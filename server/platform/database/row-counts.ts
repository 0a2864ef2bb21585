import { type QueryExecutorProvider, sql } from 'kysely'
import { type BatchWorker, createBatchWorker } from '#server/platform/batches.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Database } from './database.ts'
import type { Row } from './schema.ts'

// Tables that grow without limit are never walked to be counted. Triggers of the schema count each row with the statement
// that writes it: on SQLite in `row_counts`; on PostgreSQL as a row of `row_count_changes`, which a worker adds up.

type RowCount = Omit<Row<'row_counts'>, 'counted'>
type Counted = Row<'row_counts'>['counted']

/** Rows, and the money that they stand for. */
interface Sums {
  readonly count: number
  readonly halalas: number
}

/** How many rows are alike, exact at this moment; rows that are alike may come in two parts. */
export function readCounts(database: Database, counted: Counted, agent?: string): Promise<RowCount[]> {
  const kind = ['agent', 'state', 'part', 'was_paid'] as const
  const sumOf = (column: 'count' | 'halalas') =>
    sql<number>`CAST(sum(${sql.ref(column)}) AS bigint)`.as(column)
  // The database adds up: after a database was copied or gateways stood still, the changes are many.
  const of = (table: 'row_counts' | 'row_count_changes') =>
    database.tables
      .selectFrom(table)
      .select([...kind, sumOf('count'), sumOf('halalas')])
      .where('counted', '=', counted)
      .$if(agent !== undefined, (rows) => rows.where('agent', '=', agent ?? ''))
      .groupBy([...kind])
  // One statement: between two, the worker could move what both would see, or neither.
  return of('row_counts').unionAll(of('row_count_changes')).execute()
}

/** How many rows are in each state, and the money that they stand for. */
export async function countByState(database: Database, counted: Counted): Promise<ReadonlyMap<string, Sums>> {
  const sums = new Map<string, Sums>()
  for (const { state, count, halalas } of await readCounts(database, counted)) {
    const sum = sums.get(state) ?? { count: 0, halalas: 0 }
    sums.set(state, { count: sum.count + count, halalas: sum.halalas + halalas })
  }
  return sums
}

const changesPerBatch = 2_000

/** Adds up changes on PostgreSQL, a few at a time; true when there may be more. */
export async function addUpCounts(database: { readonly tables: QueryExecutorProvider }): Promise<boolean> {
  const kind = sql.raw('counted, agent, state, part, was_paid')
  const { rows } = await sql<{ changes: number }>`
    WITH gone AS (
      DELETE FROM row_count_changes WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM row_count_changes LIMIT ${sql.lit(changesPerBatch)} FOR UPDATE SKIP LOCKED))
      RETURNING *
    ), added AS (
      INSERT INTO row_counts (${kind}, count, halalas)
      -- In one order, so that no two gateways wait for each other.
      SELECT ${kind}, sum(count), sum(halalas) FROM gone GROUP BY ${kind} ORDER BY ${kind}
      ON CONFLICT (${kind})
      DO UPDATE SET count = row_counts.count + excluded.count, halalas = row_counts.halalas + excluded.halalas
    )
    SELECT count(*) AS changes FROM gone`.execute(database.tables)
  return Number(rows[0]?.changes) === changesPerBatch
}

/** Runs on every gateway: it can neither be paused nor left out, because readers add up what it has not. */
export function createCountsWorker({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): BatchWorker {
  return createBatchWorker({ name: 'counts', batch: () => addUpCounts(database), roundMs: 2_000, log })
}
