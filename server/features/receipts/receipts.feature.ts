import type { Core } from '#server/core.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import { daysMs } from '#server/platform/batches.ts'
import { receiptRetention } from '#shared/platform/retention.ts'
import { drawReceipts } from './receipts.drawing.ts'
import { receiptsRoutes } from './receipts.routes.ts'
import { issuerOf } from './receipts.rules.ts'
import { createReceiptDocuments, createReceipts } from './receipts.service.ts'
import { createReceiptsStore } from './receipts.store.ts'
import { createReceiptWriter } from './receipts.worker.ts'

/** The numbers of receipts, given out with payments. */
export function registerReceipts(core: Core) {
  const { config, database, retention } = core
  const receipts = createReceipts({
    ...core,
    store: createReceiptsStore(database),
    issuer: issuerOf(config),
  })
  // To the end of the time that the law keeps them.
  const keepMs = daysMs(receiptRetention.days)
  retention.push({ event: 'receipts.deleted', table: 'receipts', by: 'issued_at', keepMs })
  return receipts
}

/** What is printed on the receipts that have been issued. */
export function registerReceiptDocuments(core: Core, { orders }: { readonly orders: OrdersService }) {
  const { config, database, log } = core
  const receipts = createReceiptDocuments({
    ...core,
    store: createReceiptsStore(database),
    orders,
    issuer: issuerOf(config),
    draw: drawReceipts,
  })
  core.routes.push((app, scope) => receiptsRoutes(app, scope, receipts))
  core.workers.set('receiptWriter', createReceiptWriter({ receipts, log }))
  return receipts
}
