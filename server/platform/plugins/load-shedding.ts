import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

const retryAfterSeconds = 3
/** How often the event loop is looked at. */
const resolutionMs = 10

/** Operations with `refusedLast` are refused only beyond this multiple of the limit. */
const reserve = 2

/** The `config` of a route, set from its operation. Pages and files have no operation and are refused last. */
export interface SheddingConfig {
  readonly refusedLast?: boolean
  /** An event stream is no request in progress. */
  readonly isStream?: boolean
}

/** Returns a function that reads the mean delay in the last sample. It opens no file, which could fail and end the process. */
function measureEventLoopDelay(app: FastifyInstance, sampleMs: number): () => number {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let delayMs = 0
  const timer = setInterval(() => {
    // NaN where nothing was measured.
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

/**
 * Refuses requests before any work while the process is overloaded, so that accepted ones are finished. Requests of a
 * user who has begun to pay are refused last. `always` holds paths that are never refused, such as monitoring.
 */
export function registerLoadShedding(
  app: FastifyInstance,
  options: {
    readonly always: readonly string[]
    /** Mean delay of the event loop beyond which requests are refused; 0 refuses none. */
    readonly maxEventLoopDelayMs: number
    /** Requests whose answer is being made at once; 0 refuses none. */
    readonly maxRequests: number
    readonly metrics: Metrics
  },
): void {
  const { maxEventLoopDelayMs, maxRequests, metrics } = options
  const shed = metrics.counter(
    'amtiati_requests_shed_total',
    'Requests refused before any work: the event loop was late, or too many were in progress.',
    ['reason'],
    [{ reason: 'event-loop' }, { reason: 'requests' }],
  )
  let inProgress = 0

  /** @throws Failure OVERLOADED when `load` is more than the request's share of `limit`. */
  function refuseBeyond(
    reason: 'event-loop' | 'requests',
    limit: number,
    load: number,
    request: FastifyRequest,
  ): void {
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
    // Without a measurement between two samples the delay counts as infinite, so they are at least the upper limit apart.
    const readDelayMs = measureEventLoopDelay(app, Math.max(500, maxEventLoopDelayMs * reserve))
    app.addHook('onRequest', (request, _, done) => {
      refuseBeyond('event-loop', maxEventLoopDelayMs, readDelayMs(), request)
      done()
    })
  }
  if (maxRequests === 0) return
  app.addHook('onRequest', (request, _, done) => {
    refuseBeyond('requests', maxRequests, inProgress + 1, request)
    done()
  })
  const counted = new WeakSet<FastifyRequest>()
  // Counted once its body is complete: slow clients must not use up the limit.
  app.addHook('preHandler', (request, _, done) => {
    if ((request.routeOptions.config as SheddingConfig).isStream !== true) {
      inProgress += 1
      counted.add(request)
    }
    done()
  })
  // Until the answer is made, not until it is taken: an answer that its client does not read costs no work.
  app.addHook('onSend', (request, _, __, done) => {
    // An answer that fails while it is sent is followed by one that says so.
    if (counted.delete(request)) inProgress -= 1
    done()
  })
}
