import type { Database } from './database.ts'
import type { Row } from './schema.ts'

export function createPauses(database: Database) {
  return {
    list: (): Promise<Row<'paused_workers'>[]> =>
      database.tables.selectFrom('paused_workers').selectAll().orderBy('name').execute(),

    async pause(names: readonly string[], now: number): Promise<string[]> {
      const rows = await database.tables
        .insertInto('paused_workers')
        .values(names.map((name) => ({ name, paused_at: now })))
        .onConflict((conflict) => conflict.doNothing())
        .returning('name')
        .execute()
      return rows.map(({ name }) => name)
    },

    async resume(names: readonly string[]): Promise<string[]> {
      const rows = await database.tables
        .deleteFrom('paused_workers')
        .where('name', 'in', names)
        .returning('name')
        .execute()
      return rows.map(({ name }) => name)
    },
  }
}
