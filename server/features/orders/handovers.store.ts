import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { PrunedPage } from '#server/platform/database/pieces.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type HandoverScanRow = Row<'handover_scans'>

// A literal, so that the database sees that the partial index covers the query.
const hasRefusalText = sql<boolean>`(kind = 'not-accepted' AND text IS NOT NULL)`

/** Scans of agents, also those that were refused. */
export function createHandoversStore(database: Database) {
  return {
    findHandoverScan(agentCode: string, key: string): Promise<HandoverScanRow | undefined> {
      return database.tables
        .selectFrom('handover_scans')
        .selectAll()
        .where('agent_code', '=', agentCode)
        .where('key', '=', key)
        .executeTakeFirst()
    },

    /** False when the key of the agent is taken. */
    async insertHandoverScan(scan: HandoverScanRow): Promise<boolean> {
      return database.wins(
        database.tables
          .insertInto('handover_scans')
          .values(scan)
          .onConflict((conflict) => conflict.columns(['agent_code', 'key']).doNothing()),
      )
    },

    async countHandoverScans(bookingId: number): Promise<number> {
      const { count } = await database.tables
        .selectFrom('handover_scans')
        .select((expression) => expression.fn.countAll().as('count'))
        .where('booking_id', '=', bookingId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Deletes what agents wrote about bags that they did not accept, of `limit` events recorded before `before`. */
    async deleteRefusalTexts(before: number, limit: number): Promise<PrunedPage> {
      const old = await database.tables
        .selectFrom('booking_events')
        .select('id')
        .where(hasRefusalText)
        .where('recorded_at', '<', before)
        .orderBy('recorded_at')
        .limit(limit)
        .execute()
      const ids = old.map(({ id }) => id)
      if (ids.length > 0)
        await database.tables
          .updateTable('booking_events')
          .set({ text: null })
          .where('id', 'in', ids)
          .execute()
      return { rows: ids.length, reached: ids.at(-1) ?? 0, more: ids.length === limit }
    },
  }
}
