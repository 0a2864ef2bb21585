import { type Kysely, sql } from 'kysely'
import type { EngineParts } from './database.ts'
import { isWordTable } from './migrate.ts'
import { raiseNumbers, readNumbers } from './numbers.ts'
import { tablesInOrder } from './schema.ts'

/** Rows per statement: the most in memory at once, whatever a table holds. */
export const rowsAtOnce = 200

/** Not copied: it only proves that writes work. */
const skippedTable = 'liveness'

// biome-ignore lint/suspicious/noExplicitAny: the tables as the migrations made them
type Tables = Kysely<any>
type Row = Readonly<Record<string, unknown>>

/** Copies a SQLite database into an empty, migrated PostgreSQL in one transaction. @throws as `copyRows`. */
export function copyToPostgres(from: EngineParts, to: EngineParts): Promise<Map<string, number>> {
  return to.kysely.transaction().execute(async (kysely) => {
    // The timeout is meant for requests; counting a table takes longer.
    await sql`SET LOCAL statement_timeout = 0`.execute(kysely)
    return copyRows(from, { ...to, kysely })
  })
}

/**
 * Copies every row into an empty, migrated database, page by page, and continues its ids. Both should be in a transaction.
 * Returns the rows per table. @throws when the target holds rows, a table is missing from the order of copying, or row
 * counts differ at the end.
 */
export async function copyRows(from: EngineParts, to: EngineParts): Promise<Map<string, number>> {
  const names = (await from.kysely.introspection.getTables()).map(({ name }) => name)
  const unordered = names.filter(
    (name) => !(Object.hasOwn(tablesInOrder, name) || name === skippedTable || isWordTable(name)),
  )
  if (unordered.length > 0) throw new Error(`no order of copying is known for ${unordered.join(', ')}`)

  const target: Tables = to.kysely
  const counts = new Map<string, number>()
  for (const [table, key] of Object.entries(tablesInOrder)) {
    const present = await target.selectFrom(table).selectAll().limit(1).executeTakeFirst()
    if (present) throw new Error(`${table} of the target is not empty`)
    let copied = 0
    for await (const rows of pagesOf(from.kysely, table, key)) {
      await target.insertInto(table).values(rows).execute()
      copied += rows.length
    }
    for (const [side, kysely] of Object.entries({ source: from.kysely, target })) {
      const found = await countOf(kysely, table)
      if (found !== copied) throw new Error(`${table}: ${copied} rows were copied, the ${side} has ${found}`)
    }
    counts.set(table, copied)
  }
  // An id is never assigned twice, even if its row was deleted.
  await raiseNumbers(to, await readNumbers(from))
  return counts
}

/** Pages in the order of the primary key, each after the last row of the previous one. */
async function* pagesOf(kysely: Tables, table: string, key: readonly string[]): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  for (let last: Row | undefined; ; ) {
    const after = last
    const rows: Row[] = await kysely
      .selectFrom(table)
      .selectAll()
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(${columns}) > (${sql.join(key.map((column) => after?.[column]))})`),
      )
      .orderBy(sql`${columns}`)
      .limit(rowsAtOnce)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) return
    last = rows.at(-1)
  }
}

async function countOf(kysely: Tables, table: string): Promise<number> {
  const { count } = await kysely
    .selectFrom(table)
    .select((rows) => rows.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
