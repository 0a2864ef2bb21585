import { type BatchWorker, createBatchWorker } from '#server/platform/batches.ts'
import type { Log } from '#server/platform/logging.ts'
import type { ReceiptDocuments, ReceiptsService } from './receipts.service.ts'

const writeEveryMs = 2_000

/** Writes the documents of receipts that were issued with payments; reading a receipt does not wait for it. */
export function createReceiptWriter({
  receipts,
  log,
}: {
  readonly receipts: Pick<ReceiptDocuments, 'writeDocuments'>
  readonly log: Log
}): BatchWorker {
  return createBatchWorker({
    name: 'receipts.documents',
    async batch() {
      try {
        await receipts.writeDocuments()
      } catch (error) {
        log.error({ event: 'receipts.document-failed', err: error })
      }
      return false
    },
    roundMs: writeEveryMs,
    log,
  })
}

const pruneEveryMs = 60 * 60_000
const receiptsPerBatch = 100

/** Deletes receipts at the end of the time that the law keeps them. */
export function createReceiptRetention({
  receipts,
  keepMs,
  log,
}: {
  readonly receipts: Pick<ReceiptsService, 'deleteOlderThan'>
  readonly keepMs: number
  readonly log: Log
}): BatchWorker {
  return createBatchWorker({
    name: 'receipts.retention',
    async batch() {
      const rows = await receipts.deleteOlderThan(keepMs, receiptsPerBatch)
      if (rows > 0) log.info({ event: 'receipts.deleted', rows })
      return rows === receiptsPerBatch
    },
    roundMs: pruneEveryMs,
    log,
  })
}
