import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './logging.ts'
import { createWorker, runTraced, type Worker } from './worker.ts'

export const daysMs = (days: number) => days * 24 * 60 * 60_000

export interface BatchParts {
  readonly name: string
  /** Does a small part of the work; true when there may be more. Several gateways may run it at once. */
  readonly batch: () => Promise<boolean>
  /** Pause after a batch that left no work. */
  readonly roundMs: number
  readonly log: Log
}

/** A worker whose batches can also be run one by one, without starting it. */
export interface BatchWorker extends Worker {
  readonly name: string
  /** True when there may be more to do. */
  runBatch(): Promise<boolean>
}

/** Between two batches. On SQLite a statement blocks the process; requests are served in the pause. */
const pauseMs = 50

/** A worker for jobs over many rows: a batch, a pause, the next batch. */
export function createBatchWorker({ name, batch, roundMs, log }: BatchParts): BatchWorker {
  let ending = new AbortController()
  const worker = createWorker<true>({
    name,
    claim: async () => ((await runTraced(name, batch)) ? true : undefined),
    run: () => pause(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined),
    parallel: 1,
    roundMs,
    log,
  })
  return {
    ...worker,
    name,
    runBatch: batch,
    start() {
      ending = new AbortController()
      worker.start()
    },
    stop() {
      ending.abort()
      return worker.stop()
    },
  }
}
