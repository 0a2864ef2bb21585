import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Clock, monotonicClock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { RequestLogConfig } from './request-log.ts'

export interface HealthOptions {
  readonly metrics: Metrics
  /** Each rejects when its part does not work. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>
  /** Access to `/metrics`: every client, none, or those that send the token. */
  readonly metricsAccess?: 'public' | 'none' | { readonly token: string }
  /** Aborted when the gateway begins to stop. */
  readonly stopping?: AbortSignal
  /** Monotonic: a wall clock set back would freeze the result. */
  readonly clock?: Clock
}

/** How long a result is reused: a check writes to the database, and the endpoint is public. */
const resultLifetimeMs = 1_000

/** `/healthz`: the process lives. `/readyz`: it works and is not stopping. `/metrics`: Prometheus. */
export function registerHealth(
  app: FastifyInstance,
  { metrics, checks, metricsAccess = 'public', stopping, clock = monotonicClock }: HealthOptions,
): void {
  let lastCheck: { startedAt: number; failing: Promise<readonly string[]> } | undefined

  const routine: RequestLogConfig = { isRoutine: true }
  app.get('/healthz', { schema: { hide: true }, config: routine }, async () => ({ alive: true }))

  async function failingParts(): Promise<readonly string[]> {
    const found = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await check()
          return []
        } catch (error) {
          app.log.error({ event: 'not-ready', part: name, err: error })
          return [name]
        }
      }),
    )
    return found.flat()
  }

  app.get('/readyz', { schema: { hide: true }, config: routine }, async (_, reply) => {
    if (stopping?.aborted) return reply.code(503).send({ ready: false, failing: ['closing'] })
    if (lastCheck === undefined || clock.now() - lastCheck.startedAt >= resultLifetimeMs)
      lastCheck = { startedAt: clock.now(), failing: failingParts() }
    const failing = await lastCheck.failing
    return reply.code(failing.length === 0 ? 200 : 503).send({ ready: failing.length === 0, failing })
  })

  app.get('/metrics', { schema: { hide: true }, config: routine }, async (request, reply) => {
    // Answer 404 so that the endpoint's existence is not revealed.
    if (!mayRead(metricsAccess, request.headers.authorization)) throw failure(platformErrors, 'NOT_FOUND')
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.registry.contentType)
      .send(await metrics.registry.metrics())
  })

  app.addHook('onResponse', (request, reply, done) => {
    metrics.requests.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    )
    done()
  })
}

function mayRead(
  metricsAccess: NonNullable<HealthOptions['metricsAccess']>,
  authorization: string | undefined,
): boolean {
  if (typeof metricsAccess === 'string') return metricsAccess === 'public'
  // Digests of equal length, compared in constant time: the response time discloses nothing about the token.
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${metricsAccess.token}`))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
