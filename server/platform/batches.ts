import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './logging.ts'
import type { StartSpan } from './spans.ts'
import { createWorker, runTraced } from './worker.ts'

export const daysMs = (days: number) => days * 24 * 60 * 60_000

export interface BatchParts {
  readonly name: string
  /** Does a small part of the work; true when there may be more. Several gateways may run it at once. */
  readonly batch: () => Promise<boolean>
  /** Pause after a batch that left no work. */
  readonly roundMs: number
  readonly log: Log
}

export type BatchWorker = ReturnType<typeof createBatchWorker>

/** Between two batches. On SQLite a statement blocks the process; requests are served in the pause. */
const pauseMs = 50

/** A worker for jobs over many rows: a batch, a pause, the next batch. They can also be run one by one, without starting it. */
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
    /** True when there may be more to do. */
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
