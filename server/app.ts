import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { registerDesk } from '#server/desk/desk.ts'
import { staffScope } from '#server/desk/staff/staff.routes.ts'
import { accountRoutes } from '#server/features/account/account.routes.ts'
import { checkoutRoutes } from '#server/features/checkout/checkout.routes.ts'
import { registerClaims } from '#server/features/claims/claims.feature.ts'
import { configRoutes } from '#server/features/config/config.routes.ts'
import { openDemoWorld, registerDemo } from '#server/features/demo/demo.feature.ts'
import { registerMessages } from '#server/features/messages/messages.feature.ts'
import { ordersRoutes } from '#server/features/order-views/order-views.routes.ts'
import { registerOrders } from '#server/features/orders/orders.feature.ts'
import { registerOtp } from '#server/features/otp/otp.feature.ts'
import { registerPartner } from '#server/features/partner/partner.feature.ts'
import { passesRoutes } from '#server/features/passes/passes.routes.ts'
import { registerPayments } from '#server/features/payments/payments.feature.ts'
import { pushRoutes } from '#server/features/push/push.routes.ts'
import { registerReceipts } from '#server/features/receipts/receipts.feature.ts'
import { reportsRoutes } from '#server/features/reports/reports.routes.ts'
import { registerSessions } from '#server/features/sessions/sessions.feature.ts'
import { sessionScope } from '#server/features/sessions/sessions.routes.ts'
import { registerShares } from '#server/features/shares/shares.feature.ts'
import { registerShipments } from '#server/features/shipments/shipments.feature.ts'
import { registerStops } from '#server/features/stops/stops.feature.ts'
import { registerTracking } from '#server/features/tracking/tracking.feature.ts'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { createBackground } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createDatabaseClock } from '#server/platform/database/database-clock.ts'
import { readNewerSteps, type SchemaSteps } from '#server/platform/database/migrate.ts'
import { createDatabaseWatch } from '#server/platform/database/watch.ts'
import { createMetrics, type Metrics } from '#server/platform/metrics.ts'
import { registerHealth } from '#server/platform/plugins/health.ts'
import { registerSecurityContact } from '#server/platform/plugins/security-contact.ts'
import { describeProcess, registerStartLine, registerTelemetry } from '#server/platform/plugins/telemetry.ts'
import { createRetention } from '#server/platform/retention.ts'
import { routesOn } from '#server/platform/routes.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { type Core, createCore } from './core.ts'
import { createApp, registerPlugins } from './http.ts'
import { registerPages } from './pages.ts'

export interface GatewayParts {
  readonly config: Config
  readonly database: Database
  readonly logger: Logger
  /** Without the built client the gateway serves only the API. */
  readonly clientRoot?: string
  readonly version: string
  readonly commit?: string
  readonly clock?: Clock
  readonly metrics?: Metrics
  readonly steps?: SchemaSteps
  readonly onIncompatibleSchema?: () => void
}

export async function createGateway(gateway: GatewayParts): Promise<FastifyInstance> {
  const { config, database, metrics = createMetrics() } = gateway
  const world = await openDemoWorld(gateway)
  const app = createApp(config, gateway.logger)
  const clock = createDatabaseClock(world?.clock ?? gateway.clock ?? systemClock, app.log)
  describeProcess(metrics, gateway)
  metrics.gauge(
    'amtiati_clock_skew_seconds',
    "How far this machine's clock is ahead of the database's; negative where it is behind.",
    async () => (clock.skewMs() ?? Number.NaN) / 1_000,
  )
  const startSpan = await registerTelemetry(app, gateway, metrics)
  const stopping = await registerPlugins(app, gateway, metrics)

  const core = createCore({ config, database, clock, log: app.log, metrics, startSpan })
  const background = createBackground(core, stopping.signal)
  const scope = registerFeatures(core)
  if (world) registerDemo(core, world, background)
  const routes = routesOn(app, scope, core.streams)
  for (const register of core.routes) await register(core, routes)

  const watch = createDatabaseWatch({
    check: () => clock.follow(database.check),
    readNewerSteps: () => readNewerSteps(database.tables, gateway.steps),
    onIncompatible: () => gateway.onIncompatibleSchema?.(),
    log: app.log,
  })
  core.workers.set('retention', createRetention(core))
  const workers = Object.fromEntries(core.workers)
  registerStartLine(app, gateway, Object.keys(workers))
  registerHealth(app, {
    metrics,
    metricsAccess: metricsPolicy(config),
    stopping: stopping.signal,
    isDatabaseUp: watch.isUp,
    isDatabaseSplit: database.servers?.isSplit,
    schemaState: watch.schemaState,
    newerMigrations: watch.newerMigrations,
    workers,
    paused: background.paused,
  })
  registerSecurityContact(app, { publicUrl: config.PUBLIC_URL, clock })
  await registerPages(app, config, gateway.clientRoot)

  app.addHook('onReady', async () => {
    await clock.follow(database.readNow)
    await watch.start()
    await background.start()
    core.streams.start()
  })
  stopping.signal.addEventListener('abort', () => {
    core.streams.endAll()
    void background.stop()
  })
  app.addHook('onClose', async () => {
    await Promise.all([background.stop(), core.streams.stop(), watch.stop()])
  })
  return app
}

export function registerFeatures(core: Core): SessionScope {
  core.routes.push(reportsRoutes)
  registerPartner(core)
  registerOtp(core)
  core.routes.push(pushRoutes)
  registerMessages(core)
  registerSessions(core)
  registerReceipts(core)
  registerStops(core)
  registerOrders(core)
  registerPayments(core)
  core.routes.push(ordersRoutes, checkoutRoutes, passesRoutes, configRoutes)
  registerShipments(core)
  registerTracking(core)
  registerClaims(core)
  registerShares(core)
  core.routes.push(accountRoutes)
  // desk
  registerDesk(core)
  // desk
  return {
    ...sessionScope(core),
    // desk
    ...(core.providers.identity !== undefined && { desk: staffScope(core) }),
    // desk
  }
}

function metricsPolicy({ METRICS_TOKEN: token, MODE }: Config) {
  if (token) return { token }
  return MODE === 'demo' ? 'public' : 'none'
}
