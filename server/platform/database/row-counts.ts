import { sql } from 'kysely'
import { type BatchWorker, createBatchWorker } from '#server/platform/batches.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Database } from './database.ts'
import type { Row } from './schema.ts'

// Tables that grow without limit are never walked to be counted. Triggers of the schema count each row with the statement
// that writes it: on SQLite in `row_counts`; on PostgreSQL as a row of `row_count_changes`, which a worker adds up.

type RowCount = Row<'row_counts'>
type Counted = RowCount['counted']

/** Rows, and the money that they stand for. */
interface Sums {
  readonly count: number
  readonly halalas: number
}

/** How many rows are alike, exact at this moment; rows that are alike may come in several parts. */
export function readCounts(database: Database, counted: Counted, agent?: string): Promise<RowCount[]> {
  const of = (table: 'row_counts' | 'row_count_changes') =>
    database
      .tables()
      .selectFrom(table)
      .selectAll()
      .where('counted', '=', counted)
      .$if(agent !== undefined, (rows) => rows.where('agent', '=', agent ?? ''))
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
export async function addUpCounts(database: Database): Promise<boolean> {
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
    SELECT count(*) AS changes FROM gone`.execute(database.tables())
  return Number(rows[0]?.changes) === changesPerBatch
}

export function createCountsWorker({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): BatchWorker {
  return createBatchWorker({ name: 'counts', batch: () => addUpCounts(database), roundMs: 2_000, log })
}
