import { type BatchWorker, createBatchWorker } from './batches.ts'
import type { Database } from './database/database.ts'
import { deleteOlder } from './database/pieces.ts'
import type { Schema } from './database/schema.ts'
import type { Log } from './logging.ts'

interface OldRows {
  readonly event: string
  readonly table: keyof Schema
  readonly by: string
  readonly keepMs: number
}

interface OldParts {
  readonly event: string
  readonly batch: (now: number) => Promise<{ readonly rows: number; readonly more: boolean }>
}

export type Retention = OldRows | OldParts

interface RetentionParts {
  readonly database: Database
  readonly retention: readonly Retention[]
  readonly log: Log
}

const rowsPerBatch = 200
const roundMs = 60 * 60_000

export function createRetention({ database, retention, log }: RetentionParts): BatchWorker {
  let at = 0

  async function deleteSome(entry: Retention): Promise<{ rows: number; more: boolean }> {
    const now = await database.readNow()
    if ('batch' in entry) return entry.batch(now)
    const { table: from, by, keepMs } = entry
    const before = now - keepMs
    const rows = await deleteOlder(database, { from, by, before, limit: rowsPerBatch })
    return { rows, more: rows === rowsPerBatch }
  }

  return createBatchWorker({
    name: 'retention',
    async batch() {
      const entry = retention[at]
      if (!entry) return false
      const { rows, more } = await deleteSome(entry).catch((err: unknown) => {
        log.error({ event: 'retention.failed', entry: entry.event, err })
        return { rows: 0, more: false }
      })
      if (rows > 0) log.info({ event: entry.event, rows })
      if (!more) at = (at + 1) % retention.length
      return more || at > 0
    },
    roundMs,
    log,
  })
}
