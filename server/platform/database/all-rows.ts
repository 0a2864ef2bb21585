import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import { tablesInOrder } from './schema.ts'

/** Tables that are not emptied: gateways hold the partner's lists in memory, and the installation stays the same. */
const keptTables = ['partner_lists', 'installation']
const tables = Object.keys(tablesInOrder).filter((table) => !keptTables.includes(table))

/** The generated ids go on from the last one, so that no deleted id is given again. */
export function deleteAllRows(database: Database): Promise<void> {
  return database.transaction(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a table is named by a value
    const query: Kysely<any> = database.tables
    for (const table of tables.toReversed()) await query.deleteFrom(table).execute()
  })
}
