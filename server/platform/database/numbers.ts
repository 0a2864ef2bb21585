import { sql } from 'kysely'
import type { EngineParts } from './database.ts'

/**
 * The last assigned id of each table with automatic ids, even if its row was deleted; under `receipts` the last number of a
 * receipt, which a counter of its own gives out.
 */
export type Numbers = ReadonlyMap<string, number>

async function tablesWithIds({ kysely }: EngineParts): Promise<string[]> {
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

/** 0 before the first receipt. */
async function lastReceipt({ kysely }: EngineParts): Promise<number> {
  const row = await kysely.selectFrom('receipt_counters').select('last_number').executeTakeFirst()
  return Number(row?.last_number ?? 0)
}

async function readIds(parts: EngineParts): Promise<Numbers> {
  if (parts.engine === 'sqlite') {
    const { rows } = await sql<{ name: string; seq: number }>`SELECT name, seq FROM sqlite_sequence`.execute(
      parts.kysely,
    )
    return new Map(rows.map(({ name, seq }) => [name, seq]))
  }
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

/** Makes every table continue above the given ids; none is lowered. */
export async function raiseNumbers(parts: EngineParts, numbers: Numbers): Promise<void> {
  const { kysely, engine } = parts
  for (const table of await tablesWithIds(parts)) {
    const last = numbers.get(table) ?? 0
    if (last < 1) continue
    if (engine === 'sqlite') {
      await sql`INSERT INTO sqlite_sequence (name, seq) SELECT ${table}, 0
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${table})`.execute(kysely)
      await sql`UPDATE sqlite_sequence SET seq = ${last} WHERE name = ${table} AND seq < ${last}`.execute(
        kysely,
      )
    } else {
      const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`
      await sql`SELECT setval(${sequence}, greatest(${last}::bigint, coalesce(pg_sequence_last_value(${sequence}), 0)))`.execute(
        kysely,
      )
    }
  }
}

/**
 * Makes receipts continue above `last`, and records the numbers that are left out: the check of the sequence then tells
 * them from lost ones.
 */
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
