import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReceiptDocument } from './receipts.rules.ts'

/** The thread that draws the receipts of one gateway, and the files that it has drawn. */
export interface ReceiptDrawing {
  /** Opened by the first drawing, and by the next one after a failure. */
  thread: Worker | undefined
  /** Settles when the drawing that was asked for last has ended. */
  last: Promise<unknown>
  /** Drawn files by the `uuid` of their newest receipt. */
  readonly files: Map<string, Promise<Uint8Array>>
}

interface DrawingCore {
  readonly receiptDrawing: ReceiptDrawing
}

/** One file takes about 40 kB. */
const filesAtMost = 64

export const newReceiptDrawing = (): ReceiptDrawing => ({
  thread: undefined,
  last: Promise.resolve(),
  files: new Map(),
})

/**
 * As `drawReceipts`; a file that was drawn lately costs no drawing.
 * @param uuid of the newest receipt: a document never changes, so it names the file
 */
export function drawReceiptsOnce(
  core: DrawingCore,
  uuid: string,
  documents: readonly ReceiptDocument[],
): Promise<Uint8Array> {
  const { files } = core.receiptDrawing
  const file = files.get(uuid) ?? drawReceipts(core, documents)
  // Moved to the end: the first file is the one that was used longest ago.
  files.delete(uuid)
  files.set(uuid, file)
  file.catch(() => files.delete(uuid))
  const [oldest] = files.keys()
  if (files.size > filesAtMost && oldest !== undefined) files.delete(oldest)
  return file
}

/**
 * Draws the documents, one page each, in a thread beside the event loop, which some twenty milliseconds of work for a
 * page would hold up. The thread draws one file after the other, in the order of the calls.
 */
export function drawReceipts(core: DrawingCore, documents: readonly ReceiptDocument[]): Promise<Uint8Array> {
  const { receiptDrawing } = core
  const file = receiptDrawing.last.then(() => drawInThread(receiptDrawing, documents))
  receiptDrawing.last = file.catch(() => undefined)
  return file
}

/** Ends the thread of a gateway that stops, after what was asked for is drawn. */
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

/** Fonts and drawing are loaded with the first receipt that is read: a start does not wait for them. */
function openThread(receiptDrawing: ReceiptDrawing): Worker {
  const opened = new Worker(new URL('./receipts.thread.ts', import.meta.url))
  const leave = () => {
    if (receiptDrawing.thread === opened) receiptDrawing.thread = undefined
  }
  // The next drawing replaces a thread that failed; the drawing at which it failed rejects.
  opened.on('error', leave).on('exit', leave)
  opened.unref()
  return opened
}
