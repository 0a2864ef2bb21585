import { parentPort } from 'node:worker_threads'
import { drawReceipts } from './receipts.pdf.ts'
import type { ReceiptDocument } from './receipts.rules.ts'

parentPort?.on('message', async (documents: readonly ReceiptDocument[]) => {
  parentPort?.postMessage(await drawReceipts(documents))
})
