import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SchemaState } from '#server/platform/database/watch.ts'
import { failure } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { isSameSecret } from '#server/platform/secrets.ts'
import type { Worker } from '#server/platform/worker.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { RequestLogConfig } from './request-log.ts'

export interface HealthOptions {
  readonly metrics: Metrics
  readonly isDatabaseUp: () => boolean
  /** True while two database servers report themselves as primary: the gateway then uses neither. */
  readonly isDatabaseSplit?: (() => boolean) | undefined
  readonly schemaState: () => SchemaState
  readonly newerMigrations: () => readonly string[]
  readonly workers: Readonly<Record<string, Pick<Worker, 'isDead'>>>
  readonly paused?: () => readonly string[]
  readonly metricsAccess?: 'public' | 'none' | { readonly token: string }
  readonly stopping?: AbortSignal
}

/** The deployment files contain these paths, too (test/repo/packaging.test.ts compares them). */
export const healthPaths = {
  alive: '/healthz',
  ready: '/readyz',
  readyWithDatabase: '/readyz?database=1',
} as const

/**
 * `/readyz` is 200 even without the database, because pages and lists are served without it. `/readyz?database=1` is
 * then 503, for a load balancer that has another gateway.
 */
export function registerHealth(app: FastifyInstance, options: HealthOptions): void {
  const { metrics, isDatabaseUp, schemaState, workers, paused = () => [], stopping } = options
  const { metricsAccess = 'public' } = options
  const deadWorkers = () =>
    Object.entries(workers).flatMap(([name, worker]) => (worker.isDead() ? [name] : []))
  metrics.gaugeBy(
    'amtiati_ready',
    'Whether a part of the gateway works: 1 or 0, for the database and for each worker.',
    'part',
    ['database', ...Object.keys(workers)],
    async () => {
      const dead = deadWorkers()
      const states = Object.keys(workers).map((name) => [name, dead.includes(name) ? 0 : 1] as const)
      return new Map([['database', isDatabaseUp() ? 1 : 0], ...states])
    },
  )
  metrics.gaugeBy(
    'amtiati_worker_paused',
    'Whether an operator has paused a worker: 1 or 0.',
    'worker',
    Object.keys(workers),
    async () => new Map(Object.keys(workers).map((name) => [name, paused().includes(name) ? 1 : 0])),
  )
  metrics.gauge('amtiati_closing', 'Whether the gateway is being stopped: 1 or 0.', async () =>
    stopping?.aborted ? 1 : 0,
  )

  metrics.gauge(
    'amtiati_schema_newer_migrations',
    'Migrations that the database has and this build does not know; 0 unless a newer build has started.',
    async () => options.newerMigrations().length,
  )

  const routine: RequestLogConfig = { isRoutine: true }
  app.get(healthPaths.alive, { schema: { hide: true }, config: routine }, async () => ({ alive: true }))

  app.get(healthPaths.ready, { schema: { hide: true }, config: routine }, async (request, reply) => {
    const database = options.isDatabaseSplit?.() ? 'split' : isDatabaseUp() ? 'up' : 'down'
    const failing = stopping?.aborted ? ['closing'] : deadWorkers()
    if (needsDatabase(request) && database !== 'up') failing.push('database')
    if (schemaState() === 'incompatible') failing.push('schema')
    const ready = failing.length === 0
    return reply.code(ready ? 200 : 503).send({
      ready,
      failing,
      paused: paused(),
      database,
      schema: schemaState(),
    })
  })

  app.get('/metrics', { schema: { hide: true }, config: routine }, async (request, reply) => {
    if (!mayRead(metricsAccess, request.headers.authorization)) throw failure(platformErrors, 'NOT_FOUND')
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.registry.contentType)
      .send(await metrics.registry.metrics())
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { isStream = false } = request.routeOptions.config as RequestLogConfig
    if (isStream && reply.statusCode < 400) return done()
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

const needsDatabase = ({ query }: FastifyRequest) => (query as { database?: unknown }).database === '1'

function mayRead(
  metricsAccess: NonNullable<HealthOptions['metricsAccess']>,
  authorization: string | undefined,
) {
  if (typeof metricsAccess === 'string') return metricsAccess === 'public'
  return isSameSecret(authorization ?? '', `Bearer ${metricsAccess.token}`)
}
