import { type BatchWorker, createBatchWorker } from '#server/platform/batches.ts'
import type { Log } from '#server/platform/logging.ts'
import type { AuditService } from './audit.service.ts'

const pruneEveryMs = 60 * 60_000
const actionsPerBatch = 100

/** Deletes old actions of operators. */
export function createAuditRetention({
  audit,
  keepMs,
  log,
}: {
  readonly audit: Pick<AuditService, 'deleteOlderThan'>
  readonly keepMs: number
  readonly log: Log
}): BatchWorker {
  return createBatchWorker({
    name: 'audit.retention',
    async batch() {
      const rows = await audit.deleteOlderThan(keepMs, actionsPerBatch)
      if (rows > 0) log.info({ event: 'audit.deleted', rows })
      return rows === actionsPerBatch
    },
    roundMs: pruneEveryMs,
    log,
  })
}
