import { randomUUID } from 'node:crypto'
import { type Clock, monotonicClock } from './clock.ts'
import type { Log } from './logging.ts'
import type { StartSpan } from './spans.ts'
import { during } from './work.ts'

export interface WorkerParts<Job> {
  readonly name: string
  /** Leases a due job to this worker alone, among all gateways; undefined when no job is due. */
  readonly claim: () => Promise<Job | undefined>
  /** Handles expected failures itself. After an error that it throws, the job is due again when its lease ends. */
  readonly run: (job: Job) => Promise<void>
  readonly parallel: number
  readonly roundMs: number
  readonly log: Log
  readonly clock?: Clock
}

const deadAfterMs = 60_000
const shortestPauseMs = 1_000
const longestPauseMs = 10_000

export type Worker = ReturnType<typeof createWorker>

export function createWorker<Job>({
  name,
  claim,
  run,
  parallel,
  roundMs,
  log,
  clock = monotonicClock,
}: WorkerParts<Job>) {
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let isRunning = false
  let pollAgain = false
  let dueAt = 0
  let failures = 0
  let retryAt = 0
  let isPaused = false
  let startSpan: StartSpan | undefined

  function wake() {
    if (!isRunning || isPaused || clock.now() < retryAt) return
    pollAgain = true
    // Jobs must not run in the context of the request that wakes the worker.
    polling ??= during(undefined, poll).finally(() => {
      polling = undefined
      if (pollAgain) wake()
    })
  }

  async function poll() {
    try {
      while (pollAgain) {
        pollAgain = false
        while (isRunning && !isPaused && running.size < parallel) {
          dueAt = clock.now() + roundMs
          const job = await claim()
          noteClaim()
          if (job === undefined) break
          const work = runTraced(startSpan, name, () =>
            run(job).catch((error: unknown) => log.error({ event: `${name}.job-failed`, err: error })),
          ).finally(() => {
            running.delete(work)
            wake()
          })
          running.add(work)
        }
      }
    } catch (error) {
      noteFailure(error)
    }
  }

  /** Logs only the first failure in a row and claims less often, so that an outage does not fill the log. */
  function noteFailure(error: unknown) {
    if (failures === 0) log.error({ event: `${name}.claim-failed`, err: error })
    failures += 1
    retryAt = clock.now() + Math.min(longestPauseMs, shortestPauseMs * 2 ** (failures - 1))
  }

  function noteClaim() {
    if (failures > 0) log.info({ event: `${name}.claim-recovered`, failures })
    failures = 0
  }

  return {
    start(newStartSpan?: StartSpan): void {
      if (isRunning) return
      isRunning = true
      startSpan = newStartSpan
      dueAt = clock.now()
      timer = setInterval(wake, roundMs)
      wake()
    },
    wake,
    async stop(): Promise<void> {
      isRunning = false
      clearInterval(timer)
      await polling
      while (running.size > 0) await Promise.allSettled(running)
    },
    /** A failed claim does not make a worker dead, because the next round claims again. */
    isDead: () => isRunning && !isPaused && running.size < parallel && clock.now() - dueAt > deadAfterMs,
    /** A paused worker finishes its running jobs. */
    setPaused(paused: boolean): void {
      const isResumed = isPaused && !paused
      isPaused = paused
      if (!isResumed) return
      dueAt = clock.now()
      wake()
    },
  }
}

export async function runTraced<T>(
  startSpan: StartSpan | undefined,
  name: string,
  run: () => Promise<T>,
): Promise<T> {
  const span = startSpan?.('internal', name)
  try {
    const result = await during({ id: randomUUID(), span: span?.context }, run)
    span?.end()
    return result
  } catch (error) {
    span?.end({}, error)
    throw error
  }
}
