import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type HandoverScanRow = Row<'handover_scans'>

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
  }
}
