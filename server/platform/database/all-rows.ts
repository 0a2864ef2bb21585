import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import { tablesInOrder } from './schema.ts'

/**
 * Emptying the database keeps these tables: gateways hold the partner's lists in memory, and the installation stays the
 * same.
 */
const keptTables = ['partner_lists', 'installation']
const tables = Object.keys(tablesInOrder).filter((table) => !keptTables.includes(table))

/** Generated ids continue, so that the id of a deleted row is not given again. */
export function deleteAllRows(database: Database): Promise<void> {
  return database.transaction(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a table is named by a value
    const query: Kysely<any> = database.tables
    for (const table of tables.toReversed()) await query.deleteFrom(table).execute()
  })
}
