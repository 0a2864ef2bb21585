import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import { schemaSteps } from './migrate.ts'
import { tablesInOrder } from './schema.ts'

/** All rows of a demo's database, which are held in memory because such databases are small. */
export interface AllRows {
  readonly engine: string
  readonly schema: string
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/** Tables that are not replaced: gateways hold the partner's lists in memory, and the installation stays the same. */
const keptTables = ['partner_lists', 'installation']
const rowsAtOnce = 200
const tables = Object.keys(tablesInOrder).filter((table) => !keptTables.includes(table))

// biome-ignore lint/suspicious/noExplicitAny: a table is named by a value
const query = (database: Database): Kysely<any> => database.tables

export const emptyRows = ({ engine }: Database): AllRows => ({
  engine,
  schema: Object.keys(schemaSteps).at(-1) ?? '',
  tables: {},
})

export function fitsDatabase(database: Database, rows: AllRows): boolean {
  const { engine, schema } = emptyRows(database)
  return rows.engine === engine && rows.schema === schema
}

export function readAllRows(database: Database): Promise<AllRows> {
  return database.transaction(async () => {
    const read: Record<string, AllRows['tables'][string]> = {}
    for (const table of tables) read[table] = await query(database).selectFrom(table).selectAll().execute()
    return { ...emptyRows(database), tables: read }
  })
}

export function replaceAllRows(database: Database, rows: AllRows): Promise<void> {
  return database.transaction(async () => {
    for (const table of tables.toReversed()) await query(database).deleteFrom(table).execute()
    for (const table of tables) {
      const all = rows.tables[table] ?? []
      for (let from = 0; from < all.length; from += rowsAtOnce)
        await query(database)
          .insertInto(table)
          .values(all.slice(from, from + rowsAtOnce))
          .execute()
    }
  })
}
