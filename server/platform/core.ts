import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { freeLeases } from './database/leases.ts'
import { createPauses } from './database/pauses.ts'
import { createExternalService, type ExternalService } from './external-service.ts'
import type { CallCounts } from './limits.ts'
import type { Log } from './logging.ts'
import type { Metrics } from './metrics.ts'
import { type Random, systemRandom } from './random.ts'
import { createReadings, type Readings } from './readings.ts'
import type { Retention } from './retention.ts'
import type { StartSpan } from './spans.ts'
import { createStreams, type Streams } from './streams.ts'
import type { Worker } from './worker.ts'
import type { WorkerName } from './worker-names.ts'

export interface QueryCore {
  readonly database: Database
}

export interface LeasingCore extends QueryCore {
  readonly random: Random
}

export interface TimedCore extends QueryCore {
  readonly clock: Clock
}

export interface ServicesCore {
  readonly config: Config
  readonly clock: Clock
  /** A service whose circuit breaker is open gets one trial request after `openMs`. */
  externalService(name: string, openMs?: number): ExternalService
}

export interface PlatformCore extends TimedCore, ServicesCore {
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  readonly callCounts: CallCounts
  /** Runs `work` after the commit; throws outside of a transaction. */
  afterCommit(work: () => void): void
  readonly startSpan?: StartSpan | undefined
  readonly workers: Map<WorkerName, Worker>
  readonly retention: Retention[]
  readonly readings: Readings
  readonly streams: Streams
  wake(worker: WorkerName): void
}

const readingsKeptMs = 24 * 60 * 60_000

export type PlatformParts = Pick<PlatformCore, 'config' | 'database' | 'clock' | 'log' | 'metrics'> &
  Partial<Pick<PlatformCore, 'random' | 'startSpan'>>

export function createPlatformCore(parts: PlatformParts): PlatformCore {
  const workers = new Map<WorkerName, Worker>()
  const externalServices = new Map<string, ExternalService>()
  const { random = systemRandom } = parts
  return {
    ...parts,
    random,
    callCounts: new Map(),
    afterCommit: (work) => parts.database.afterCommit(work),
    externalService(name, openMs) {
      const service = externalServices.get(name) ?? createExternalService(name, parts, openMs)
      externalServices.set(name, service)
      return service
    },
    readings: createReadings(parts),
    streams: createStreams({ ...parts, random, most: parts.config.EVENT_STREAMS }),
    workers,
    retention: [{ event: 'readings.deleted', table: 'readings', by: 'at', keepMs: readingsKeptMs }],
    wake: (worker) => workers.get(worker)?.wake(),
  }
}

const pausesEveryMs = 2_000

export type Background = ReturnType<typeof createBackground>

export function createBackground({ database, workers, log, startSpan }: PlatformCore, stopping: AbortSignal) {
  const pauses = createPauses(database)
  let paused: readonly string[] = []
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined

  async function readPauses() {
    const names = (await pauses.list()).map(({ name }) => name)
    if (names.join() !== paused.join()) log.info({ event: 'workers.paused', workers: names })
    paused = names
    for (const [name, worker] of workers) worker.setPaused(names.includes(name))
  }

  function readPausesAgain() {
    reading ??= readPauses()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
  }

  async function start() {
    // Only this gateway uses the database, so a remaining lease belongs to a process that was killed.
    if (database.isExclusive) await freeLeases(database)
    await readPauses()
    if (stopping.aborted) return
    timer = setInterval(readPausesAgain, pausesEveryMs)
    for (const worker of workers.values()) worker.start(startSpan)
  }

  async function stop() {
    clearInterval(timer)
    await reading
    await Promise.all([...workers.values()].map((worker) => worker.stop()))
  }

  return {
    start,
    stop,
    async whileStopped<T>(work: () => Promise<T>): Promise<T> {
      await stop()
      try {
        return await work()
      } finally {
        await start()
      }
    },
    wake(): void {
      for (const worker of workers.values()) worker.wake()
    },
    paused: () => paused,
  }
}
