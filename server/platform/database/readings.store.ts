import type { Database } from './database.ts'
import type { Row } from './schema.ts'

/** What a reader was shown, and when. Times are epoch milliseconds. */
export function createReadingsStore(database: Database) {
  return {
    /**
     * Stores the things of which the reader has no row after `before`, in one statement; returns these. They are sorted, so
     * that two gateways that store the same things do not wait for each other.
     */
    async addReadings(
      reader: string,
      things: readonly string[],
      { now, before }: { readonly now: number; readonly before: number },
    ): Promise<string[]> {
      if (things.length === 0) return []
      const rows = await database.tables
        .insertInto('readings')
        .values([...things].sort().map((about) => ({ reader, about, at: now })))
        .onConflict((conflict) =>
          conflict.columns(['reader', 'about']).doUpdateSet({ at: now }).where('readings.at', '<=', before),
        )
        .returning('about')
        .execute()
      return rows.map(({ about }) => about)
    },

    /** What the reader was shown after `since`, the newest first. */
    listReadings(
      reader: string,
      since: number,
      limit: number,
    ): Promise<Pick<Row<'readings'>, 'about' | 'at'>[]> {
      return database.tables
        .selectFrom('readings')
        .select(['about', 'at'])
        .where('reader', '=', reader)
        .where('at', '>', since)
        .orderBy('at', 'desc')
        .limit(limit)
        .execute()
    },

    /** Gives the rows of one reader to another. A thing that both were shown keeps its two rows. */
    async moveReadings(from: string, to: string): Promise<void> {
      const both = database.tables.selectFrom('readings').select('about').where('reader', '=', to)
      await database.tables
        .updateTable('readings')
        .set({ reader: to })
        .where('reader', '=', from)
        .where('about', 'not in', both)
        .execute()
    },

    /** Deletes rows of things that were not shown after all. */
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
