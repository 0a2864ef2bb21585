import type { FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { freeLeases } from './database/leases.ts'
import { createExternalService, type ExternalService } from './external-service.ts'
import type { Log } from './logging.ts'
import type { Metrics } from './metrics.ts'
import type { Retention } from './retention.ts'
import type { SessionScope } from './session-scope.ts'
import type { Worker } from './worker.ts'

/** Registers the operations of a feature. */
export type Routes = (app: FastifyInstance, scope: SessionScope) => void | Promise<void>

/** What every feature is built from, and where it registers what runs beside its verbs. */
export interface Core {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /**
   * An external service behind a circuit breaker of its own; the same one for the same name.
   * @param openMs how long the breaker stays open before one request tries again
   */
  externalService(name: string, openMs?: number): ExternalService
  /** Added to the gateway in this order. `npm run ops` builds the features and calls none. */
  readonly routes: Routes[]
  /** Background work by name; nothing runs before its `start`. */
  readonly workers: Map<string, Worker>
  /** What is kept no longer. One worker deletes it; `npm run ops -- prune` does it at once. */
  readonly retention: Retention[]
  /** Lets a worker look for what is due before its next round. Without effect where it does not run. */
  wake(worker: string): void
}

export function createCore(parts: Pick<Core, 'config' | 'database' | 'clock' | 'log' | 'metrics'>): Core {
  const workers = new Map<string, Worker>()
  const externalServices = new Map<string, ExternalService>()
  return {
    ...parts,
    externalService(name, openMs) {
      const service = externalServices.get(name) ?? createExternalService(name, parts.metrics, openMs)
      externalServices.set(name, service)
      return service
    },
    routes: [],
    workers,
    retention: [],
    wake: (worker) => workers.get(worker)?.wake(),
  }
}

/** The background work of a gateway as a whole. */
export interface Background {
  start(): Promise<void>
  stop(): Promise<void>
  /** Runs `work` while no background work of this process does. */
  whileStopped<T>(work: () => Promise<T>): Promise<T>
  /** Lets all background work look for what is due. */
  wake(): void
}

/** @param stopping aborted when the gateway begins to stop; nothing is started again then. */
export function createBackground({ database, workers }: Core, stopping: AbortSignal): Background {
  const all = () => [...workers.values()]

  async function start(): Promise<void> {
    // No other process uses this database: a lease that is still held belongs to a killed process.
    if (database.isExclusive) await freeLeases(database)
    for (const worker of all()) worker.start()
  }

  async function stop(): Promise<void> {
    await Promise.all(all().map((worker) => worker.stop()))
  }

  return {
    start,
    stop,
    async whileStopped(work) {
      await stop()
      try {
        return await work()
      } finally {
        if (!stopping.aborted) await start()
      }
    },
    wake() {
      for (const worker of all()) worker.wake()
    },
  }
}
