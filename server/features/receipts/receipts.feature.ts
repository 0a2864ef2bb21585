import type { Core } from '#server/core.ts'
import { bindTo } from '#server/legacy.ts'
import { receiptsRetention, receiptWriter } from './receipts.jobs.ts'
import { readUnwrittenReceipts } from './receipts.queries.ts'
import { receiptsRoutes } from './receipts.routes.ts'
import {
  correctReceipt,
  exportReceipts,
  findReceipts,
  issueReceipt,
  readReceiptForLetter,
  receiptReturned,
} from './receipts.ts'

export type ReceiptsService = ReturnType<typeof registerReceipts>

export function registerReceipts(core: Core) {
  core.routes.push((app, scope) => receiptsRoutes(core, app, scope))
  core.workers.set('receiptWriter', receiptWriter(core))
  core.retention.push(...receiptsRetention())
  core.metrics.queue('receipts', core.clock, () => readUnwrittenReceipts(core))
  return bindTo(core, {
    correctReceipt,
    exportReceipts,
    findReceipts,
    issueReceipt,
    readForLetter: readReceiptForLetter,
    receiptReturned,
  })
}
