import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

export interface PrunedPage {
  readonly rows: number
  readonly reached: number
  readonly more: boolean
}

/**
 * Deletes the first `limit` rows in the order of `by`, which needs an index. Gateways that delete at the same time skip
 * each other's rows.
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

export const deleteOlder = (
  database: Database,
  { from, by, before, limit }: { from: string; by: string; before: number; limit: number },
): Promise<number> => deletePiece(database, { from, where: sql`${sql.ref(by)} < ${before}`, by, limit })
