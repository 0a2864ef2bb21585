import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/** The result of one page of a walk over a table in the order of its ids. */
export interface PrunedPage {
  /** Rows that were deleted or changed. */
  readonly rows: number
  /** The last id of the page: the next page begins after it. */
  readonly reached: number
  /** False when no row follows, or the following ones are too recent. */
  readonly more: boolean
}

/**
 * Deletes at most `limit` rows of a table, in the order of `by`, which needs an index; returns how many. One statement, so
 * several gateways can run it at once: on PostgreSQL each skips rows locked by others.
 */
export async function deletePiece(
  database: Database,
  { from, where, by, limit }: { from: string; where: RawBuilder<unknown>; by: string; limit: number },
): Promise<number> {
  const table = sql.table(from)
  const rows = sql`FROM ${table} WHERE ${where} ORDER BY ${sql.ref(by)} LIMIT ${limit}`
  const statement =
    database.engine === 'sqlite'
      ? sql`DELETE FROM ${table} WHERE rowid IN (SELECT rowid ${rows})`
      : sql`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid ${rows} FOR UPDATE SKIP LOCKED))`
  const { numAffectedRows } = await statement.execute(database.tables)
  return Number(numAffectedRows ?? 0)
}

/** Deletes at most `limit` rows whose column `by` (epoch milliseconds, with an index) is before `before`, oldest first. */
export const deleteOlder = (
  database: Database,
  { from, by, before, limit }: { from: string; by: string; before: number; limit: number },
): Promise<number> => deletePiece(database, { from, where: sql`${sql.ref(by)} < ${before}`, by, limit })
