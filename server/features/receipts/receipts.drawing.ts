import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReceiptDocument } from './receipts.rules.ts'

export interface ReceiptDrawing {
  thread: Worker | undefined
  last: Promise<unknown>
  readonly files: Map<string, Promise<Uint8Array>>
}

interface DrawingCore {
  readonly receiptDrawing: ReceiptDrawing
}

const filesAtMost = 64

export const newReceiptDrawing = (): ReceiptDrawing => ({
  thread: undefined,
  last: Promise.resolve(),
  files: new Map(),
})

/** @param uuid of the newest receipt. It identifies the file, because stored documents never change */
export function drawReceiptsOnce(
  core: DrawingCore,
  uuid: string,
  documents: readonly ReceiptDocument[],
): Promise<Uint8Array> {
  const { files } = core.receiptDrawing
  const file = files.get(uuid) ?? drawReceipts(core, documents)
  files.delete(uuid)
  files.set(uuid, file)
  file.catch(() => files.delete(uuid))
  const [oldest] = files.keys()
  if (files.size > filesAtMost && oldest !== undefined) files.delete(oldest)
  return file
}

/** A thread draws the pages, because a page would block the event loop for about 20 ms. */
export function drawReceipts(core: DrawingCore, documents: readonly ReceiptDocument[]): Promise<Uint8Array> {
  const { receiptDrawing } = core
  const file = receiptDrawing.last.then(() => drawInThread(receiptDrawing, documents))
  receiptDrawing.last = file.catch(() => undefined)
  return file
}

export async function endDrawing({ receiptDrawing }: DrawingCore): Promise<void> {
  await receiptDrawing.last
  await receiptDrawing.thread?.terminate()
}

async function drawInThread(
  receiptDrawing: ReceiptDrawing,
  documents: readonly ReceiptDocument[],
): Promise<Uint8Array> {
  receiptDrawing.thread ??= openThread(receiptDrawing)
  const drawn = once(receiptDrawing.thread, 'message')
  receiptDrawing.thread.postMessage(documents)
  const [bytes] = (await drawn) as [Uint8Array]
  return bytes
}

function openThread(receiptDrawing: ReceiptDrawing): Worker {
  const opened = new Worker(new URL('./receipts.thread.ts', import.meta.url))
  const leave = () => {
    if (receiptDrawing.thread === opened) receiptDrawing.thread = undefined
  }
  opened.on('error', leave).on('exit', leave)
  opened.unref()
  return opened
}
