import type { Database } from './database.ts'
import type { Row } from './schema.ts'

export function createReadingsStore(database: Database) {
  return {
    /**
     * Returns the things that the reader had not viewed after `before`. The things are sorted, so that two gateways
     * cannot deadlock.
     */
    async addReadings(
      reader: string,
      things: readonly string[],
      { now, before }: { readonly now: number; readonly before: number },
    ): Promise<string[]> {
      if (things.length === 0) return []
      const rows = await database.rows(
        database.tables
          .insertInto('readings')
          .values([...things].sort().map((about) => ({ reader, about, at: now })))
          .onConflict((conflict) =>
            conflict.columns(['reader', 'about']).doUpdateSet({ at: now }).where('readings.at', '<=', before),
          )
          .returning('about'),
      )
      return rows.map(({ about }) => about)
    },

    listReadings(
      reader: string,
      since: number,
      limit: number,
    ): Promise<Pick<Row<'readings'>, 'about' | 'at'>[]> {
      return database.rows(
        database.tables
          .selectFrom('readings')
          .select(['about', 'at'])
          .where('reader', '=', reader)
          .where('at', '>', since)
          .orderBy('at', 'desc')
          .limit(limit),
      )
    },

    async moveReadings(from: string, to: string): Promise<void> {
      const both = database.tables.selectFrom('readings').select('about').where('reader', '=', to)
      await database.tables
        .updateTable('readings')
        .set({ reader: to })
        .where('reader', '=', from)
        .where('about', 'not in', both)
        .execute()
    },

    async removeReadings(reader: string, things: readonly string[]): Promise<void> {
      if (things.length === 0) return
      await database.tables
        .deleteFrom('readings')
        .where('reader', '=', reader)
        .where('about', 'in', things)
        .execute()
    },
  }
}
