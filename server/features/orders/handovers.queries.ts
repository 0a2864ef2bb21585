import type { QueryCore } from '#server/platform/core.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type HandoverScanRow = Row<'handover_scans'>

export const findHandoverScan = (
  { database }: QueryCore,
  agentCode: string,
  key: string,
): Promise<HandoverScanRow | undefined> =>
  database.tables
    .selectFrom('handover_scans')
    .selectAll()
    .where('agent_code', '=', agentCode)
    .where('key', '=', key)
    .executeTakeFirst()

export const insertHandoverScan = ({ database }: QueryCore, scan: HandoverScanRow): Promise<boolean> =>
  database.wins(
    database.tables
      .insertInto('handover_scans')
      .values(scan)
      .onConflict((conflict) => conflict.columns(['agent_code', 'key']).doNothing()),
  )

export const countHandoverScans = ({ database }: QueryCore, bookingId: number): Promise<number> =>
  database.count(database.tables.selectFrom('handover_scans').where('booking_id', '=', bookingId))
