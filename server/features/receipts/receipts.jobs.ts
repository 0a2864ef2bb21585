import type { Core } from '#server/core.ts'
import { type BatchWorker, createBatchWorker, daysMs } from '#server/platform/batches.ts'
import type { Retention } from '#server/platform/retention.ts'
import { receiptRetention } from '#shared/platform/retention.ts'
import { writeReceiptDocuments } from './receipts.ts'

const writeEveryMs = 2_000

export function receiptWriter(core: Core): BatchWorker {
  const { log } = core
  /** An outage must not fill the log, so an error is logged only when it differs from the last one. */
  let reason: string | undefined
  return createBatchWorker({
    name: 'receipts.documents',
    async batch() {
      try {
        await writeReceiptDocuments(core)
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

export const receiptsRetention = (): Retention[] => [
  {
    event: 'receipts.deleted',
    table: 'receipts',
    by: 'issued_at',
    keepMs: daysMs(receiptRetention.days),
  },
]
