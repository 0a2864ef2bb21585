import { sql } from 'kysely'
import type { EngineParts } from './database.ts'

/** The last id that each table has given, even if its row was deleted. `receipts` has the last number of a receipt. */
export type Numbers = ReadonlyMap<string, number>

async function tablesWithIds({ kysely }: EngineParts) {
  const tables = await kysely.introspection.getTables()
  return tables
    .filter(({ columns }) =>
      columns.some(({ name, isAutoIncrementing }) => name === 'id' && isAutoIncrementing),
    )
    .map(({ name }) => name)
}

export async function readNumbers(parts: EngineParts): Promise<Numbers> {
  return new Map([...(await readIds(parts)), ['receipts', await lastReceipt(parts)]])
}

async function lastReceipt({ kysely }: EngineParts) {
  const row = await kysely.selectFrom('receipt_counters').select('last_number').executeTakeFirst()
  return Number(row?.last_number ?? 0)
}

async function readIds(parts: EngineParts): Promise<Numbers> {
  const numbers = new Map<string, number>()
  for (const table of await tablesWithIds(parts)) {
    const { rows } = await sql<{ last: number }>`
      SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0) AS last`.execute(
      parts.kysely,
    )
    numbers.set(table, Number(rows[0]?.last))
  }
  return numbers
}

/**
 * The highest stored id of each table. `readNumbers` can return a higher one, because PostgreSQL's recovery skips up to
 * 32 values of each sequence.
 */
export async function readHighestIds(parts: EngineParts): Promise<Numbers> {
  const numbers = new Map([['receipts', await lastReceipt(parts)]])
  for (const table of await tablesWithIds(parts)) {
    const { rows } = await sql<{
      last: number | null
    }>`SELECT max(id) AS last FROM ${sql.table(table)}`.execute(parts.kysely)
    numbers.set(table, Number(rows[0]?.last ?? 0))
  }
  return numbers
}

export async function raiseNumbers(parts: EngineParts, numbers: Numbers): Promise<void> {
  for (const table of await tablesWithIds(parts)) {
    const last = numbers.get(table) ?? 0
    if (last < 1) continue
    const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`
    await sql`SELECT setval(${sequence}, greatest(${last}::bigint, coalesce(pg_sequence_last_value(${sequence}), 0)))`.execute(
      parts.kysely,
    )
  }
}

/** Records the skipped numbers, so that the check of the sequence does not report them as lost. */
export async function skipReceipts(parts: EngineParts, last: number, now: number): Promise<void> {
  const { kysely } = parts
  const before = await lastReceipt(parts)
  if (last <= before) return
  await kysely
    .insertInto('receipt_counters')
    .values({ id: 1, last_number: last })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ last_number: last }))
    .execute()
  await kysely
    .insertInto('receipt_gaps')
    .values({ first_number: before + 1, last_number: last, recorded_at: now })
    .execute()
}
