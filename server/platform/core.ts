import type { FastifyInstance } from 'fastify'
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
import type { SessionScope } from './session-scope.ts'
import type { StartSpan } from './spans.ts'
import { createStreams, type Streams } from './streams.ts'
import type { Worker } from './worker.ts'
import type { WorkerName } from './worker-names.ts'

/** Registers the operations of a feature. */
export type Routes = (app: FastifyInstance, scope: SessionScope) => void | Promise<void>

/** The parts of one gateway that the platform needs. `server/core.ts` adds the services of others. */
export interface PlatformCore {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  /** Calls that this gateway has counted in memory, see `limitCalls`. */
  readonly callCounts: CallCounts
  /** Runs `work` once the open transaction is committed. @throws outside of a transaction */
  afterCommit(work: () => void): void
  /** `undefined` when the gateway sends no traces. */
  readonly startSpan?: StartSpan | undefined
  /**
   * An external service behind a circuit breaker of its own; the same one for the same name.
   * @param openMs how long the breaker stays open before one request tries again
   */
  externalService(name: string, openMs?: number): ExternalService
  /** Added to the gateway in this order. `npm run ops` builds the features and calls none. */
  readonly routes: Routes[]
  /** Background work by name; nothing runs before its `start`. */
  readonly workers: Map<WorkerName, Worker>
  /** Rows that are deleted at an age. One worker deletes them; `npm run ops -- prune` does it at once. */
  readonly retention: Retention[]
  /** Counts the orders that agents and staff view. */
  readonly readings: Readings
  /** Event streams of this gateway. */
  readonly streams: Streams
  /** Makes a worker look for due rows before its next round. Without effect on a gateway that does not run it. */
  wake(worker: WorkerName): void
}

/** No limit looks back further. */
const readingsKeptMs = 24 * 60 * 60_000

export type PlatformParts = Pick<PlatformCore, 'config' | 'database' | 'clock' | 'log' | 'metrics'> &
  Partial<Pick<PlatformCore, 'random' | 'startSpan'>>

export function createPlatformCore(parts: PlatformParts): PlatformCore {
  const workers = new Map<WorkerName, Worker>()
  const externalServices = new Map<string, ExternalService>()
  return {
    random: systemRandom,
    ...parts,
    callCounts: new Map(),
    afterCommit: (work) => parts.database.afterCommit(work),
    externalService(name, openMs) {
      const service = externalServices.get(name) ?? createExternalService(name, parts, openMs)
      externalServices.set(name, service)
      return service
    },
    readings: createReadings(parts),
    routes: [],
    streams: createStreams({ ...parts, most: parts.config.EVENT_STREAMS }),
    workers,
    retention: [{ event: 'readings.deleted', table: 'readings', by: 'at', keepMs: readingsKeptMs }],
    wake: (worker) => workers.get(worker)?.wake(),
  }
}

/** How often each gateway reads what is paused. */
const pausesEveryMs = 2_000

export type Background = ReturnType<typeof createBackground>

/**
 * The background work of a gateway as a whole.
 * @param stopping aborted when the gateway begins to stop; nothing is started again then.
 */
export function createBackground({ database, workers, log, startSpan }: PlatformCore, stopping: AbortSignal) {
  const pauses = createPauses(database)
  let paused: readonly string[] = []
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined

  async function readPauses(): Promise<void> {
    const names = (await pauses.list()).map(({ name }) => name)
    if (names.join() !== paused.join()) log.info({ event: 'workers.paused', workers: names })
    paused = names
    for (const [name, worker] of workers) worker.setPaused(names.includes(name))
  }

  /** Without the database everything stays as it was last read. */
  function readPausesAgain(): void {
    reading ??= readPauses()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
  }

  async function start(): Promise<void> {
    // No other process uses this database: a lease that is still held belongs to a killed process.
    if (database.isExclusive) await freeLeases(database)
    await readPauses()
    if (stopping.aborted) return
    timer = setInterval(readPausesAgain, pausesEveryMs)
    for (const worker of workers.values()) worker.start(startSpan)
  }

  async function stop(): Promise<void> {
    clearInterval(timer)
    await reading
    await Promise.all([...workers.values()].map((worker) => worker.stop()))
  }

  return {
    start,
    stop,
    /** Runs `work` while no background work of this process does. */
    async whileStopped<T>(work: () => Promise<T>): Promise<T> {
      await stop()
      try {
        return await work()
      } finally {
        await start()
      }
    },
    /** Makes all workers look for due rows. */
    wake(): void {
      for (const worker of workers.values()) worker.wake()
    },
    /** Names of the work that an operator has paused. */
    paused: () => paused,
  }
}
