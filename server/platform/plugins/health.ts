import type { FastifyInstance } from 'fastify'
import type { Metrics } from '#server/platform/metrics.ts'

export interface HealthOptions {
  readonly metrics: Metrics
  /** Each rejects when its part cannot do its work. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>
}

/** `/healthz`: the process is alive. `/readyz`: it can do its work, and is not closing. `/metrics`: Prometheus. */
export function registerHealth(app: FastifyInstance, { metrics, checks }: HealthOptions): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  app.get('/healthz', { schema: { hide: true } }, async () => ({ alive: true }))

  app.get('/readyz', { schema: { hide: true } }, async (request, reply) => {
    const failing: string[] = isClosing ? ['closing'] : []
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await check()
        } catch (error) {
          request.log.error({ event: 'not-ready', part: name, err: error })
          failing.push(name)
        }
      }),
    )
    return reply.code(failing.length === 0 ? 200 : 503).send({ ready: failing.length === 0, failing })
  })

  app.get('/metrics', { schema: { hide: true } }, async (_, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )

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
