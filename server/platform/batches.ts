import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './logging.ts'
import type { StartSpan } from './spans.ts'
import { createWorker, runTraced } from './worker.ts'

export const daysMs = (days: number) => days * 24 * 60 * 60_000

export interface BatchParts {
  readonly name: string
  /** A batch returns true when more work can be left. */
  readonly batch: () => Promise<boolean>
  readonly roundMs: number
  readonly log: Log
}

export type BatchWorker = ReturnType<typeof createBatchWorker>

/** A statement of SQLite blocks the process. In this pause between two batches it serves requests. */
const pauseMs = 50

export function createBatchWorker({ name, batch, roundMs, log }: BatchParts) {
  let ending = new AbortController()
  let startSpan: StartSpan | undefined
  const worker = createWorker<true>({
    name,
    claim: async () => ((await runTraced(startSpan, name, batch)) ? true : undefined),
    run: () => pause(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined),
    parallel: 1,
    roundMs,
    log,
  })
  return {
    ...worker,
    name,
    runBatch: batch,
    start(newStartSpan?: StartSpan): void {
      ending = new AbortController()
      startSpan = newStartSpan
      worker.start(startSpan)
    },
    stop(): Promise<void> {
      ending.abort()
      return worker.stop()
    },
  }
}
