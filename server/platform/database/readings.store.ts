import type { Database } from './database.ts'
import type { Row } from './schema.ts'

export function createReadingsStore(database: Database) {
  return {
    /**
     * Stores the things that the reader has not viewed after `before`. They are sorted, so that two gateways cannot
     * deadlock.
     * @returns the things that were stored
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

    /** The last statement of a transaction. */
    listReadings(
      reader: string,
      since: number,
      limit: number,
    ): Promise<Pick<Row<'readings'>, 'about' | 'at'>[]> {
      return database.last(
        database.tables
          .selectFrom('readings')
          .select(['about', 'at'])
          .where('reader', '=', reader)
          .where('at', '>', since)
          .orderBy('at', 'desc')
          .limit(limit),
      )
    },

    /** Gives the views of one reader to another. A view that both have stays with each of them. */
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
