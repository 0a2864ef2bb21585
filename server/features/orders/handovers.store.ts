import { type Selectable, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'

/** `refused`: the order was not paid, or cancelled or refunded before. */
export const handoverOutcomes = ['received', 'already-received', 'refused'] as const
export type HandoverOutcome = (typeof handoverOutcomes)[number]

export interface HandoverScansTable {
  agent_code: string
  /** The Idempotency-Key, or one of ours where the request had none. */
  key: string
  body_hash: string
  booking_id: number
  outcome: HandoverOutcome
  /** When the bag was taken, corrected; see `correctedTime`. */
  at: number
  recorded_at: number
}

interface Tables {
  handover_scans: HandoverScansTable
}

export type HandoverScanRow = Selectable<HandoverScansTable>

/** Scans of agents, also those that were refused. */
export function createHandoversStore(database: Database) {
  const tables = () => database.tables<Tables>()

  return {
    findHandoverScan(agentCode: string, key: string): Promise<HandoverScanRow | undefined> {
      return tables()
        .selectFrom('handover_scans')
        .selectAll()
        .where('agent_code', '=', agentCode)
        .where('key', '=', key)
        .executeTakeFirst()
    },

    /** False when the key of the agent is taken. */
    async insertHandoverScan(scan: HandoverScanRow): Promise<boolean> {
      const inserted = await tables()
        .insertInto('handover_scans')
        .values(scan)
        .onConflict((conflict) => conflict.columns(['agent_code', 'key']).doNothing())
        .returning('key')
        .executeTakeFirst()
      return inserted !== undefined
    },

    async countHandoverScans(bookingId: number): Promise<number> {
      const { count } = await tables()
        .selectFrom('handover_scans')
        .select((expression) => expression.fn.countAll().as('count'))
        .where('booking_id', '=', bookingId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Deletes at most `limit` of the scans recorded before `before`, the oldest first; returns how many. */
    deleteHandoverScans(before: number, limit: number): Promise<number> {
      return deletePiece(database, {
        from: 'handover_scans',
        where: sql`recorded_at < ${before}`,
        by: 'recorded_at',
        limit,
      })
    },
  }
}
