import { type BatchWorker, createBatchWorker } from '#server/platform/batches.ts'
import type { Log } from '#server/platform/logging.ts'
import type { SharesService } from './shares.service.ts'

const pruneEveryMs = 60 * 60_000
const sharesPerBatch = 100

/** Deletes links long after they ended: whether one is live is decided when it is read. */
export function createShareRetention({
  shares,
  keepMs,
  log,
}: {
  readonly shares: Pick<SharesService, 'deleteOlderThan'>
  readonly keepMs: number
  readonly log: Log
}): BatchWorker {
  return createBatchWorker({
    name: 'shares.retention',
    async batch() {
      const rows = await shares.deleteOlderThan(keepMs, sharesPerBatch)
      if (rows > 0) log.info({ event: 'shares.deleted', rows })
      return rows === sharesPerBatch
    },
    roundMs: pruneEveryMs,
    log,
  })
}
