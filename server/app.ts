import { join } from 'node:path'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { accountRoutes } from '#server/features/account/account.routes.ts'
import { checkoutRoutes } from '#server/features/checkout/checkout.routes.ts'
import { configRoutes } from '#server/features/config/config.routes.ts'
import { demoRoutes } from '#server/features/demo/demo.routes.ts'
import { resumeClock } from '#server/features/demo/demo.service.ts'
import { messagesWebhook } from '#server/features/messages/messages.webhook.ts'
import { ordersRoutes } from '#server/features/orders/orders.routes.ts'
import { partnerRoutes } from '#server/features/partner/partner.routes.ts'
import { paymentsWebhook } from '#server/features/payments/payments.webhook.ts'
import { pushRoutes } from '#server/features/push/push.routes.ts'
import { receiptsRoutes } from '#server/features/receipts/receipts.routes.ts'
import { shownSellerOf } from '#server/features/receipts/receipts.rules.ts'
import { reportsRoutes } from '#server/features/reports/reports.routes.ts'
import {
  clearCookies,
  sessionCookiesFor,
  sessionScope,
  sessionsRoutes,
} from '#server/features/sessions/sessions.routes.ts'
import { sharesRoutes } from '#server/features/shares/shares.routes.ts'
import { trackingWebhook } from '#server/features/tracking/tracking.webhook.ts'
import { type Clock, createMovableClock, systemClock } from '#server/platform/clock.ts'
import { type Config, widgetStyles } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createDatabaseWatch } from '#server/platform/database/watch.ts'
import { failure } from '#server/platform/errors.ts'
import { createMetrics, type Metrics } from '#server/platform/metrics.ts'
import { createNamedValues } from '#server/platform/named-values.ts'
import { registerApiDocs } from '#server/platform/plugins/api-docs.ts'
import { registerCompression } from '#server/platform/plugins/compression.ts'
import { registerConnectionLimits, serverOptions } from '#server/platform/plugins/connection-limits.ts'
import { registerDocuments } from '#server/platform/plugins/documents.ts'
import { answerFailure, registerErrorGate, sendProblem } from '#server/platform/plugins/error-gate.ts'
import {
  registerGracefulClose,
  type Stopping,
  stoppingDecorator,
} from '#server/platform/plugins/graceful-close.ts'
import { registerHealth } from '#server/platform/plugins/health.ts'
import { registerJsonBodies } from '#server/platform/plugins/json-bodies.ts'
import { registerKnownHosts } from '#server/platform/plugins/known-hosts.ts'
import { registerLoadShedding } from '#server/platform/plugins/load-shedding.ts'
import { RequestLog } from '#server/platform/plugins/request-log.ts'
import { createRequestIds } from '#server/platform/plugins/request-trace.ts'
import { registerSameOrigin } from '#server/platform/plugins/same-origin.ts'
import { registerSecurityContact } from '#server/platform/plugins/security-contact.ts'
import { registerSecurityHeaders } from '#server/platform/plugins/security-headers.ts'
import { describeProcess, registerStartLine, registerTelemetry } from '#server/platform/plugins/telemetry.ts'
import { registerUnambiguousRequests } from '#server/platform/plugins/unambiguous-requests.ts'
import { answerUnreadable } from '#server/platform/plugins/unreadable-requests.ts'
import { registerSchemaCompilers } from '#server/platform/schema-compilers.ts'
import { fare, maxWeightKg } from '#shared/checkout/checkout.schemas.ts'
import { demoPath } from '#shared/demo/demo.operations.ts'
import { receiveMessageStatus } from '#shared/messages/messages.operations.ts'
import { receiveCallback } from '#shared/payments/payments.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import { currency, riyalsOf } from '#shared/platform/money.ts'
import { pages } from '#shared/platform/pages.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { sendReport } from '#shared/reports/reports.operations.ts'
import { receiveScans } from '#shared/tracking/tracking.operations.ts'
import { createServices, type ServiceParts, type Services } from './services.ts'
import { createWorkers, type Workers } from './workers.ts'

export interface GatewayParts {
  readonly config: Config
  readonly database: Database
  readonly logger: Logger
  /** Folder of the built app; without it only the API is served. */
  readonly clientRoot?: string
  readonly version: string
  readonly clock?: Clock
  readonly metrics?: Metrics
}

/** The gateway: plugins, services, workers and routes, registered in this order. It does not listen yet. */
export async function createGateway(gateway: GatewayParts): Promise<FastifyInstance> {
  const { config, database, metrics = createMetrics() } = gateway
  const demoWorld = await openDemoWorld(gateway)
  const clock = demoWorld?.clock ?? gateway.clock ?? systemClock
  describeProcess(metrics, gateway)
  const app = createApp(config, gateway.logger)
  await registerTelemetry(app, gateway, metrics)
  const stopping = await registerPlugins(app, gateway, metrics)

  const background = createBackground(database, stopping.signal, () => ({ services, workers }))
  const parts: ServiceParts = {
    ...{ config, database, clock, log: app.log, metrics },
    ...(demoWorld && { demo: { ...demoWorld, ...background } }),
  }
  const services = createServices(parts, () => workers)
  const workers = createWorkers(parts, services)

  const watch = createDatabaseWatch({ check: database.check, log: app.log })
  registerStartLine(app, gateway, Object.keys(workers))
  registerHealth(app, {
    metrics,
    metricsAccess: metricsPolicy(config),
    stopping: stopping.signal,
    isDatabaseUp: watch.isUp,
    workers,
  })
  await registerFeatures(app, parts, services)
  registerSecurityContact(app, { publicUrl: config.PUBLIC_URL, clock })
  await registerPages(app, config, gateway.clientRoot)

  app.addHook('onReady', async () => {
    await background.start()
    watch.start()
    // Not awaited: the gateway starts while the partner is down.
    void services.partner.warmUp()
  })
  stopping.signal.addEventListener('abort', () => void background.stop())
  app.addHook('onClose', async () => {
    await Promise.all([background.stop(), watch.stop()])
  })
  return app
}

/** @param find called when there is something to do; a function, because services and workers are built later. */
function createBackground(
  database: Database,
  stopping: AbortSignal,
  find: () => { services: Services; workers: Workers },
) {
  const all = () => Object.values(find().workers)

  async function start(): Promise<void> {
    const { orders, messages, tracking } = find().services
    // No other process uses this database: a lease that is still held belongs to a killed process.
    if (database.isExclusive) for (const each of [orders, messages, tracking]) await each.freeLeases()
    for (const worker of all()) worker.start()
  }

  async function stop(): Promise<void> {
    await Promise.all(all().map((worker) => worker.stop()))
  }

  return {
    start,
    stop,
    async whileStopped<T>(work: () => Promise<T>): Promise<T> {
      await stop()
      try {
        return await work()
      } finally {
        if (!stopping.aborted) await start()
      }
    },
    wake(): void {
      for (const worker of all()) worker.wake()
    },
  }
}

/** The clock and the stored values of testers; undefined in MODE=live and without a key. */
async function openDemoWorld({ config, clock }: GatewayParts) {
  const { MODE, DEMO_CONTROL_KEY: key, DATA_DIR } = config
  if (MODE !== 'demo' || !key) return undefined
  const world = { key, clock: createMovableClock(clock), values: createNamedValues(join(DATA_DIR, 'demo')) }
  await resumeClock(world)
  return world
}

function createApp(config: Config, logger: Logger): FastifyInstance {
  return Fastify({
    loggerInstance: logger,
    logController: new RequestLog(logger),
    // For addresses without an operation; `registerOperation` sets a limit for each operation by its access.
    bodyLimit: 8 * 1024,
    ...serverOptions(config.limits),
    // A list, never `true` or a number of hops: those would let any client choose its address.
    trustProxy: config.TRUSTED_PROXIES ? [...config.TRUSTED_PROXIES] : false,
    // The header is checked before it is taken.
    requestIdHeader: false,
    genReqId: createRequestIds(config.TRUSTED_PROXIES ?? []),
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => void answerFailure(error, request, reply),
    clientErrorHandler: answerUnreadable,
    routerOptions: { ignoreTrailingSlash: false },
  }) as unknown as FastifyInstance
}

const isHttps = (config: Config) => config.PUBLIC_URL.startsWith('https:')

/** What every request passes, in this order. */
async function registerPlugins(
  app: FastifyInstance,
  { config, version }: GatewayParts,
  metrics: Metrics,
): Promise<Stopping> {
  registerSchemaCompilers(app)
  registerJsonBodies(app)
  registerErrorGate(app)
  registerSecurityHeaders(app, { isHttps: isHttps(config) })
  registerUnambiguousRequests(app)
  if (config.MODE === 'demo') registerKnownHosts(app, [config.PUBLIC_URL, config.CALLBACK_URL])
  registerConnectionLimits(app, { ...config.limits, metrics })
  await app.register(cookie)
  await registerCompression(app)
  const stopping = registerGracefulClose(app)
  app.decorate(stoppingDecorator, stopping)
  await registerLoadShedding(app, {
    always: ['/healthz', '/readyz', '/metrics'],
    maxEventLoopDelayMs: config.limits.maxEventLoopDelayMs,
    maxRequests: config.limits.maxRequests,
    metrics,
  })
  registerSameOrigin(app, {
    publicUrl: config.PUBLIC_URL,
    exempt: [receiveCallback.path, receiveScans.path, receiveMessageStatus.path, sendReport.path, demoPath],
  })
  await registerApiDocs(app, {
    version,
    sessionCookie: sessionCookiesFor(config.PUBLIC_URL).session,
    hasPage: config.MODE === 'demo',
  })
  return stopping
}

function metricsPolicy({ METRICS_TOKEN: token, MODE }: Config) {
  if (token) return { token }
  return MODE === 'demo' ? 'public' : 'none'
}

/** The routes of every feature. */
async function registerFeatures(
  app: FastifyInstance,
  { config, metrics }: ServiceParts,
  services: Services,
): Promise<void> {
  const cookies = sessionCookiesFor(config.PUBLIC_URL)
  const scope = sessionScope(services.sessions, cookies)
  const sessionOf = (request: FastifyRequest) => request.cookies[cookies.session]
  configRoutes(app, scope, clientConfigOf(config))
  sessionsRoutes(app, scope, services.sessions, services.otp, cookies)
  accountRoutes(app, scope, services.account, {
    sessionOf,
    clearCookies: (reply) => clearCookies(reply, cookies),
  })
  partnerRoutes(app, scope, services.partner)
  checkoutRoutes(app, scope, services.checkout)
  paymentsWebhook(app, scope, services.payments)
  await messagesWebhook(app, scope, services.messages)
  pushRoutes(app, scope, services.push, sessionOf)
  const { orders, payments } = services
  ordersRoutes(app, scope, { orders, payments, metrics, sessionOf })
  await trackingWebhook(app, scope, services.tracking)
  receiptsRoutes(app, scope, services.receipts)
  sharesRoutes(app, scope, services.shares)
  await reportsRoutes(app, scope, services.reports)
  if (services.demo) await demoRoutes(app, scope, services.demo)
}

/** What the browser loads as the card widget. */
export function widgetOf(config: Config) {
  return {
    script: config.PAYMENT_WIDGET_SCRIPT,
    styles: [...widgetStyles(config)],
    ...(config.PAYMENT_WIDGET_INTEGRITY && { integrity: config.PAYMENT_WIDGET_INTEGRITY }),
  }
}

/** What `GET /api/config` answers. */
function clientConfigOf(config: Config) {
  return {
    demo: config.MODE === 'demo',
    widget: widgetOf(config),
    fare: { base: riyalsOf(fare.baseHalalas), return: riyalsOf(fare.returnHalalas), currency },
    maxWeightKg,
    enabledTypes: [...config.ENABLED_BOOKING_TYPES],
    contact: brand.contact,
    purchase: {
      ...brand.purchase,
      cards: [...brand.purchase.cards],
      cancellation: config.CANCELLATION,
      seller: shownSellerOf(config),
    },
    tracking: { silenceHours: config.TRACKING_SILENCE_HOURS },
    appLink: brand.androidAppUrl,
  }
}

/** The pages alone, as every gateway of this configuration sends them. For the operators' comparison. */
export async function createPages(config: Config, clientRoot: string): Promise<FastifyInstance> {
  const app = Fastify() as unknown as FastifyInstance
  registerErrorGate(app)
  registerSecurityHeaders(app, { isHttps: isHttps(config) })
  await app.register(cookie)
  await registerPages(app, config, clientRoot)
  return app
}

/** The documents and files of the app, and the answer to every other address. */
async function registerPages(app: FastifyInstance, config: Config, clientRoot?: string): Promise<void> {
  const onMissing = (request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(request, reply, failure(platformErrors, 'NOT_FOUND'))
  if (!clientRoot) {
    app.setNotFoundHandler(onMissing)
    return
  }
  await registerDocuments(app, {
    root: clientRoot,
    pages,
    widgetPath: pages.payment,
    cameraPath: pages.agentScan,
    secretPages: [pages.track],
    reportPath: sendReport.path,
    publicUrl: config.PUBLIC_URL,
    isHttps: isHttps(config),
    widget: {
      script: config.PAYMENT_WIDGET_SCRIPT,
      styles: widgetStyles(config),
      frames: config.PAYMENT_WIDGET_FRAMES,
    },
    onMissing,
  })
}
