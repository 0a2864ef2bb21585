import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { approvalsRetention } from '#server/desk/actions/actions.jobs.ts'
import { deskActionsRoutes } from '#server/desk/actions/actions.routes.ts'
import { auditRetention } from '#server/desk/audit/audit.jobs.ts'
import { auditRoutes } from '#server/desk/audit/audit.routes.ts'
import { deskClaimsRoutes } from '#server/desk/claims/desk-claims.routes.ts'
import { deskOrdersRoutes } from '#server/desk/orders/desk-orders.routes.ts'
import { staffRetention } from '#server/desk/staff/staff.jobs.ts'
import { staffRoutes, staffScope } from '#server/desk/staff/staff.routes.ts'
import { deskStopsRoutes } from '#server/desk/stops/desk-stops.routes.ts'
import { registerWorkGauges, workRetention } from '#server/desk/work/work.jobs.ts'
import { workRoutes } from '#server/desk/work/work.routes.ts'
import { registerAccount } from '#server/features/account/account.feature.ts'
import { createAudit } from '#server/features/audit/audit.service.ts'
import { registerCheckout } from '#server/features/checkout/checkout.feature.ts'
import { registerClaims } from '#server/features/claims/claims.feature.ts'
import { registerConfig } from '#server/features/config/config.feature.ts'
import { openDemoWorld, registerDemo } from '#server/features/demo/demo.feature.ts'
import { createDeskActions } from '#server/features/desk-actions/desk-actions.service.ts'
import { registerMessages } from '#server/features/messages/messages.feature.ts'
import { registerOrders } from '#server/features/orders/orders.feature.ts'
import { registerOtp } from '#server/features/otp/otp.feature.ts'
import { registerPartner } from '#server/features/partner/partner.feature.ts'
import { registerPasses } from '#server/features/passes/passes.feature.ts'
import { registerPayments, registerRefunds } from '#server/features/payments/payments.feature.ts'
import { registerPush } from '#server/features/push/push.feature.ts'
import { registerReceipts } from '#server/features/receipts/receipts.feature.ts'
import { registerReports } from '#server/features/reports/reports.feature.ts'
import { registerSessions, registerUsers } from '#server/features/sessions/sessions.feature.ts'
import { registerShares } from '#server/features/shares/shares.feature.ts'
import { registerShipments } from '#server/features/shipments/shipments.feature.ts'
import { registerStops } from '#server/features/stops/stops.feature.ts'
import { registerFollowing, registerTracking } from '#server/features/tracking/tracking.feature.ts'
import { createWork } from '#server/features/work/work.service.ts'
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
import { type Core, createCore } from './core.ts'
import { createApp, registerPlugins } from './http.ts'
import { registerPages } from './pages.ts'

export interface GatewayParts {
  readonly config: Config
  readonly database: Database
  readonly logger: Logger
  /** Folder of the built app. Without it the gateway serves only the API. */
  readonly clientRoot?: string
  readonly version: string
  /** Commit of the build, when it is known. */
  readonly commit?: string
  readonly clock?: Clock
  readonly metrics?: Metrics
  /** Migrations of this build; tests add some. */
  readonly steps?: SchemaSteps
  /** Called when a newer build has migrated the database and this gateway must end. */
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
  const { scope } = registerFeatures(core)
  if (world) registerDemo(core, world, background)
  for (const add of core.routes) await add(app, scope)

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

/**
 * Builds every feature, each after those it needs. Where two need each other, one is built in two steps: first the rows
 * that the other writes or reads, then the work on them.
 */
export function registerFeatures(core: Core) {
  const { scope, services } = buildFeatures(core)
  Object.assign(core.legacy, services)
  return { ...services, scope }
}

function buildFeatures(core: Core) {
  registerReports(core)
  const partner = registerPartner(core)
  const users = registerUsers(core)
  const otp = registerOtp(core)
  const push = registerPush(core)
  const messages = registerMessages(core)
  const sessions = registerSessions(core)
  const following = registerFollowing(core)
  const receipts = registerReceipts(core)
  const refunds = registerRefunds(core)
  const audit = createAudit(core)
  core.retention.push(...auditRetention(core))
  core.routes.push((app, scope) => auditRoutes(core, app, scope))
  const stops = registerStops(core)
  core.routes.push((app, scope) => deskStopsRoutes(core, app, scope))
  const orders = registerOrders(core)
  const payments = registerPayments(core)
  registerCheckout(core)
  registerPasses(core)
  registerConfig(core)
  registerShipments(core)
  registerTracking(core)
  const work = createWork(core)
  core.routes.push((app, scope) => workRoutes(core, app, scope))
  core.retention.push(...workRetention())
  registerWorkGauges(core)
  const hasDesk = core.providers.identity !== undefined
  if (hasDesk) {
    core.routes.push((app, scope) => staffRoutes(core, app, scope))
    core.retention.push(...staffRetention(core))
  }
  const deskActions = createDeskActions(core)
  core.routes.push((app, scope) => deskActionsRoutes(core, app, scope))
  core.retention.push(...approvalsRetention(core))
  const claims = registerClaims(core)
  core.routes.push((app, scope) => deskClaimsRoutes(core, app, scope))
  const shares = registerShares(core)
  core.routes.push((app, scope) => deskOrdersRoutes(core, app, scope))
  registerAccount(core)
  const scope = { ...sessions.scope, ...(hasDesk && { desk: staffScope(core) }) }
  return {
    scope,
    services: {
      audit,
      claims,
      deskActions,
      following,
      messages,
      numbers: sessions.numbers,
      orderActs: orders.acts,
      orders,
      otp,
      partner,
      paymentActs: payments.acts,
      payments,
      push,
      receipts,
      refunds,
      sessions,
      shares,
      stops,
      users,
      work,
    },
  }
}

function metricsPolicy({ METRICS_TOKEN: token, MODE }: Config) {
  if (token) return { token }
  return MODE === 'demo' ? 'public' : 'none'
}
