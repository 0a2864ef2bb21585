import type { Core } from '#server/core.ts'
import { receiptsRetention, receiptWriter } from './receipts.jobs.ts'
import { readUnwrittenReceipts } from './receipts.queries.ts'
import { receiptsRoutes } from './receipts.routes.ts'

export function registerReceipts(core: Core): void {
  core.routes.push(receiptsRoutes)
  core.workers.set('receiptWriter', receiptWriter(core))
  core.retention.push(...receiptsRetention())
  core.metrics.queue('receipts', core.clock, () => readUnwrittenReceipts(core))
}
