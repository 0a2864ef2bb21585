import { type BatchWorker, createBatchWorker } from '#server/platform/batches.ts'
import type { Log } from '#server/platform/logging.ts'
import type { ReceiptDocuments } from './receipts.service.ts'

const writeEveryMs = 2_000

/** Writes the documents of receipts that were issued with payments; reading a receipt does not wait for it. */
export function createReceiptWriter({
  receipts,
  log,
}: {
  readonly receipts: Pick<ReceiptDocuments, 'writeDocuments'>
  readonly log: Log
}): BatchWorker {
  /** Of the last round; undefined when it went well. Only a new reason is logged: an outage must not fill the log. */
  let reason: string | undefined
  return createBatchWorker({
    name: 'receipts.documents',
    async batch() {
      try {
        await receipts.writeDocuments()
        reason = undefined
      } catch (error) {
        if (reason !== String(error)) log.error({ event: 'receipts.document-failed', err: error })
        reason = String(error)
      }
      return false
    },
    roundMs: writeEveryMs,
    log,
  })
}
