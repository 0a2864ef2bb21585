import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import perfHooks from 'node:perf_hooks'
import threads from 'node:worker_threads'
import zlib from 'node:zlib'
import { drawReceipts } from '#server/features/receipts/receipts.pdf.ts'
import type { ReceiptDocument } from '#server/features/receipts/receipts.rules.ts'

// Imported before everything else, for the whole process: what the system would do in its own time.

// Its threads would end their work at a real moment, so bodies are compressed at once, and as little as possible.
type Done = (error: Error | null, result: Buffer) => void

const fastest = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 0 } }

zlib.brotliCompress = ((body: Buffer, _: unknown, done: Done) =>
  done(null, zlib.brotliCompressSync(body, fastest))) as typeof zlib.brotliCompress
zlib.gzip = ((body: Buffer, _: unknown, done: Done) =>
  done(null, zlib.gzipSync(body, { level: 1 }))) as typeof zlib.gzip

// It would measure its event loop and its memory, for gateways that were killed as well, and so keep all of them.
const never = () => true
const noDelay = {
  enable: never,
  disable: never,
  reset: never,
  mean: 0,
  min: 0,
  max: 0,
  stddev: 0,
  percentile: () => 0,
}
perfHooks.monitorEventLoopDelay = () =>
  noDelay as unknown as ReturnType<typeof perfHooks.monitorEventLoopDelay>
perfHooks.PerformanceObserver = class {
  observe(): void {}
} as unknown as typeof perfHooks.PerformanceObserver

// A thread draws receipts at real moments, and the thread of a gateway that was killed would stay.
threads.Worker = class extends EventEmitter {
  unref(): void {}
  postMessage(documents: readonly ReceiptDocument[]): void {
    drawReceipts(documents).then(
      (bytes) => this.emit('message', bytes),
      (error) => this.emit('error', error),
    )
  }
  terminate = async (): Promise<number> => 0
} as unknown as typeof threads.Worker

syncBuiltinESMExports()
