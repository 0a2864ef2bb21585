import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

export interface HealthOptions {
  readonly metrics: Metrics
  /** Each rejects when its part cannot do its work. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>
  /** Who may read the numbers: everybody, nobody, or whoever has the token. */
  readonly metricsFor?: 'everybody' | 'nobody' | { readonly token: string }
  readonly clock?: Clock
}

/** A check writes to the database, and anybody may ask: what was found is the answer for this long. */
const checkedForMs = 1_000

/** `/healthz`: the process is alive. `/readyz`: it can do its work, and is not closing. `/metrics`: Prometheus. */
export function registerHealth(
  app: FastifyInstance,
  { metrics, checks, metricsFor = 'everybody', clock = systemClock }: HealthOptions,
): void {
  let lastCheck: { startedAt: number; failing: Promise<readonly string[]> } | undefined
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  app.get('/healthz', { schema: { hide: true } }, async () => ({ alive: true }))

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

  app.get('/readyz', { schema: { hide: true } }, async (_, reply) => {
    if (lastCheck === undefined || clock.now() - lastCheck.startedAt >= checkedForMs)
      lastCheck = { startedAt: clock.now(), failing: failingParts() }
    const failing = [...(isClosing ? ['closing'] : []), ...(await lastCheck.failing)]
    return reply.code(failing.length === 0 ? 200 : 503).send({ ready: failing.length === 0, failing })
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    // Whoever may not read it learns no more than from any address that is not there.
    if (!mayRead(metricsFor, request.headers.authorization)) throw failure(platformErrors, 'NOT_FOUND')
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.registry.contentType)
      .send(await metrics.registry.metrics())
  })

  app.addHook('onResponse', async (request, reply) => {
    metrics.requests.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    )
  })
}

function mayRead(
  metricsFor: NonNullable<HealthOptions['metricsFor']>,
  authorization: string | undefined,
): boolean {
  if (typeof metricsFor === 'string') return metricsFor === 'everybody'
  // Of equal length and in constant time, so that an answer says nothing about how close a guess was.
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${metricsFor.token}`))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
