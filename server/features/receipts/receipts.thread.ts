import { parentPort } from 'node:worker_threads'
import { drawReceipts } from './receipts.pdf.ts'
import type { ReceiptDocument } from './receipts.rules.ts'

/** The thread of `receipts.drawing.ts` gets the documents of one file at a time, and answers with its bytes. */
parentPort?.on('message', async (documents: readonly ReceiptDocument[]) => {
  parentPort?.postMessage(await drawReceipts(documents))
})
