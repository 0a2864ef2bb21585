import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

const retryAfterSeconds = 3
const resolutionMs = 10

/**
 * An overloaded gateway refuses operations with `refusedLast`, and routes without an operation, only above this
 * multiple of a limit.
 */
const reserve = 2

export interface SheddingConfig {
  readonly refusedLast?: boolean
  readonly isStream?: boolean
  /** False when the response comes from memory: a wait for the database does not delay it. */
  readonly needsDatabase?: boolean
}

function measureEventLoopDelay(app: FastifyInstance, sampleMs: number): () => number {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let delayMs = 0
  const timer = setInterval(() => {
    const mean = histogram.mean / 1e6 - resolutionMs
    delayMs = Number.isNaN(mean) ? Number.POSITIVE_INFINITY : Math.max(0, mean)
    histogram.reset()
  }, sampleMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    histogram.disable()
  })
  return () => delayMs
}

/** Refuses requests of an overloaded process before any work, and those of users who have begun to pay last. */
export function registerLoadShedding(
  app: FastifyInstance,
  options: {
    readonly always: readonly string[]
    readonly maxEventLoopDelayMs: number
    readonly maxRequests: number
    readonly maxDatabaseWaitMs: number
    readonly readWaitMs: () => number
    readonly metrics: Metrics
  },
): void {
  const { maxEventLoopDelayMs, maxRequests, maxDatabaseWaitMs, readWaitMs, metrics } = options
  const shed = metrics.counter(
    'amtiati_requests_shed_total',
    'Requests refused before any work: the event loop was late, too many were in progress, or connections to the database were waited for.',
    ['reason'],
    [{ reason: 'event-loop' }, { reason: 'requests' }, { reason: 'database' }],
  )
  let inProgress = 0

  function refuseBeyond(
    reason: 'event-loop' | 'requests' | 'database',
    limit: number,
    load: number,
    request: FastifyRequest,
  ) {
    if (load <= limit || options.always.includes(request.url.split('?')[0] ?? '')) return
    const { refusedLast = true } = request.routeOptions.config as SheddingConfig
    if (refusedLast && load <= limit * reserve) return
    shed.inc({ reason })
    throw failure(platformErrors, 'OVERLOADED', {
      values: { wait: waitInWords(retryAfterSeconds) },
      retryAfterSeconds,
    })
  }

  if (maxEventLoopDelayMs > 0) {
    // A sample without a measurement counts as an infinite delay, so it must be at least as long as the longest allowed
    // delay.
    const readDelayMs = measureEventLoopDelay(app, Math.max(500, maxEventLoopDelayMs * reserve))
    app.addHook('onRequest', (request, _, done) => {
      refuseBeyond('event-loop', maxEventLoopDelayMs, readDelayMs(), request)
      done()
    })
  }
  if (maxDatabaseWaitMs > 0)
    app.addHook('onRequest', (request, _, done) => {
      const { needsDatabase = false } = request.routeOptions.config as SheddingConfig
      if (needsDatabase) refuseBeyond('database', maxDatabaseWaitMs, readWaitMs(), request)
      done()
    })
  if (maxRequests === 0) return
  app.addHook('onRequest', (request, _, done) => {
    refuseBeyond('requests', maxRequests, inProgress + 1, request)
    done()
  })
  const counted = new WeakSet<FastifyRequest>()
  // Counts a request after its body has arrived, so that slow clients do not use up the limit.
  app.addHook('preHandler', (request, _, done) => {
    if ((request.routeOptions.config as SheddingConfig).isStream !== true) {
      inProgress += 1
      counted.add(request)
    }
    done()
  })
  // A request is no longer counted once its response is sent: a client that reads slowly costs no work.
  app.addHook('onSend', (request, _, __, done) => {
    if (counted.delete(request)) inProgress -= 1
    done()
  })
}
