import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReceiptDocument } from './receipts.rules.ts'

let thread: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/** Fonts and drawing are loaded with the first receipt that is read: a start does not wait for them. */
function openThread(): Worker {
  const opened = new Worker(new URL('./receipts.thread.ts', import.meta.url))
  const leave = () => {
    if (thread === opened) thread = undefined
  }
  // A thread that failed is replaced by the next drawing; the drawing that it failed at hears of it, too.
  opened.on('error', leave).on('exit', leave)
  opened.unref()
  return opened
}

async function drawInThread(documents: readonly ReceiptDocument[]): Promise<Uint8Array> {
  thread ??= openThread()
  const drawn = once(thread, 'message')
  thread.postMessage(documents)
  const [bytes] = (await drawn) as [Uint8Array]
  return bytes
}

/**
 * Draws the documents, one page each, in one thread beside the event loop, which some twenty milliseconds of work for a
 * page would hold up. One file after the other, in the order of the calls.
 */
export function drawReceipts(documents: readonly ReceiptDocument[]): Promise<Uint8Array> {
  const drawing = last.then(() => drawInThread(documents))
  last = drawing.catch(() => undefined)
  return drawing
}
