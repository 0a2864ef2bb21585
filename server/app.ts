import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { accountRoutes } from '#server/features/account/account.routes.ts'
import { createAccount } from '#server/features/account/account.service.ts'
import { checkoutRoutes } from '#server/features/checkout/checkout.routes.ts'
import { createCheckout } from '#server/features/checkout/checkout.service.ts'
import { configRoutes } from '#server/features/config/config.routes.ts'
import { ordersRoutes } from '#server/features/orders/orders.routes.ts'
import { createOrders } from '#server/features/orders/orders.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createPartnerGateway } from '#server/features/partner/partner.gateway.http.ts'
import { partnerRoutes } from '#server/features/partner/partner.routes.ts'
import { createPartner } from '#server/features/partner/partner.service.ts'
import { createPartnerStore } from '#server/features/partner/partner.store.ts'
import { createPaymentGateway } from '#server/features/payments/payments.gateway.http.ts'
import { paymentsRoutes } from '#server/features/payments/payments.routes.ts'
import { createPayments } from '#server/features/payments/payments.service.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { paymentsWebhook } from '#server/features/payments/payments.webhook.ts'
import { createInquiryWorker, createRefundWorker } from '#server/features/payments/payments.worker.ts'
import { reportsRoutes } from '#server/features/reports/reports.routes.ts'
import { createReports } from '#server/features/reports/reports.service.ts'
import { createCodes } from '#server/features/sessions/codes.service.ts'
import { createCodesStore } from '#server/features/sessions/codes.store.ts'
import { createOtpGateway } from '#server/features/sessions/sessions.gateway.http.ts'
import {
  forgetBrowser,
  sessionCookiesFor,
  sessionScope,
  sessionsRoutes,
} from '#server/features/sessions/sessions.routes.ts'
import { createSessions } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createShipmentGateway } from '#server/features/shipments/shipments.gateway.http.ts'
import { createShipmentWorker } from '#server/features/shipments/shipments.worker.ts'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { createOutsider } from '#server/platform/outsider.ts'
import { registerApiDocs } from '#server/platform/plugins/api-docs.ts'
import { registerConnectionLimits, serverOptions } from '#server/platform/plugins/connection-limits.ts'
import { registerDocuments } from '#server/platform/plugins/documents.ts'
import { answerFailure, registerErrorGate, sendProblem } from '#server/platform/plugins/error-gate.ts'
import { registerGracefulClose } from '#server/platform/plugins/graceful-close.ts'
import { registerHealth } from '#server/platform/plugins/health.ts'
import { registerJsonBodies } from '#server/platform/plugins/json-bodies.ts'
import { registerLoadShedding } from '#server/platform/plugins/load-shedding.ts'
import { registerSameOrigin } from '#server/platform/plugins/same-origin.ts'
import { registerSecurityContact } from '#server/platform/plugins/security-contact.ts'
import { registerSecurityHeaders } from '#server/platform/plugins/security-headers.ts'
import { registerUnambiguousRequests } from '#server/platform/plugins/unambiguous-requests.ts'
import { answerUnreadable } from '#server/platform/plugins/unreadable-requests.ts'
import { fare, maxWeightKg } from '#shared/checkout/checkout.schemas.ts'
import { receiveCallback } from '#shared/payments/payments.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import { currency, riyalsOf } from '#shared/platform/money.ts'
import { pages } from '#shared/platform/pages.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { reportViolations } from '#shared/reports/reports.operations.ts'

export interface GatewayParts {
  readonly config: Config
  readonly database: Database
  readonly logger: Logger
  /** Folder of the built app; without it only the API is served. */
  readonly clientRoot?: string
  readonly version: string
  readonly clock?: Clock
}

const forgetEveryMs = 60 * 60_000

/** Table of contents: builds the services in order and registers every room. Nothing listens yet. */
export async function createGateway(parts: GatewayParts): Promise<FastifyInstance> {
  const { config, database, clock = systemClock } = parts
  const isHttps = config.PUBLIC_URL.startsWith('https:')
  const limits = {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
    maxConnections: config.MAX_CONNECTIONS,
  }
  const app = Fastify({
    loggerInstance: parts.logger,
    // For addresses that are no operation; each operation has a limit of its own, by its caller.
    bodyLimit: 8 * 1024,
    ...serverOptions(limits),
    // Who is in the list may say who a request is from; true or a number would let anybody say it.
    trustProxy: config.TRUSTED_PROXIES ? [...config.TRUSTED_PROXIES] : false,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => void answerFailure(error, request, reply),
    clientErrorHandler: answerUnreadable,
    routerOptions: { ignoreTrailingSlash: false },
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true },
    },
  }) as unknown as FastifyInstance
  registerJsonBodies(app)

  const metrics = createMetrics()
  registerErrorGate(app)
  registerSecurityHeaders(app, { isHttps })
  registerUnambiguousRequests(app)
  registerConnectionLimits(app, { maxConnections: limits.maxConnections, metrics })
  await app.register(cookie)
  registerGracefulClose(app)
  await registerLoadShedding(app, { always: ['/healthz', '/readyz', '/metrics'] })
  registerSameOrigin(app, {
    publicUrl: config.PUBLIC_URL,
    exempt: [receiveCallback.path, reportViolations.path],
  })
  await registerApiDocs(app, parts.version)

  const outsiders = {
    otp: createOutsider('otp', metrics),
    payment: createOutsider('payment', metrics),
    shipping: createOutsider('shipping', metrics),
  }
  const shippingAccount = { baseUrl: config.SHIPPING_BASE_URL, apiKey: config.SHIPPING_API_KEY }

  const partner = createPartner({
    gateway: createPartnerGateway(shippingAccount, outsiders.shipping),
    store: createPartnerStore(database),
    clock,
    log: app.log,
  })

  const codes = createCodes({
    database,
    store: createCodesStore(database),
    otp: createOtpGateway(
      {
        baseUrl: config.OTP_BASE_URL,
        accountSid: config.OTP_ACCOUNT_SID,
        authToken: config.OTP_AUTH_TOKEN,
        services: { user: config.OTP_USER_SERVICE_SID, agent: config.OTP_AGENT_SERVICE_SID },
      },
      outsiders.otp,
    ),
    isAgent: async (phone) => (await partner.findAgentByPhone(phone)) !== undefined,
    limits: config,
    clock,
    metrics,
    allowedCountries: config.ALLOWED_PHONE_COUNTRIES,
  })

  const sessions = createSessions({
    database,
    store: createSessionsStore(database),
    codes,
    findAgentByPhone: async (phone) => {
      const agent = await partner.findAgentByPhone(phone)
      return agent && { partnerAgentId: agent.id, name: agent.name, phone }
    },
    clock,
    log: app.log,
  })
  const cookies = sessionCookiesFor(config.PUBLIC_URL)
  const scope = sessionScope(sessions, cookies)

  const orders = createOrders({
    database,
    store: createOrdersStore(database),
    findUsers: sessions.findUsers,
    holdUser: sessions.holdUser,
    clock,
  })

  const shipments = createShipmentWorker({
    orders,
    gateway: createShipmentGateway(shippingAccount, outsiders.shipping),
    findUser: sessions.findUser,
    clock,
    log: app.log,
    metrics,
  })

  const paymentsStore = createPaymentsStore(database)
  const paymentGateway = createPaymentGateway(
    {
      baseUrl: config.PAYMENT_BASE_URL,
      secretKey: config.PAYMENT_SECRET_KEY,
      apiKey: config.PAYMENT_API_KEY,
      hmacSecret: config.PAYMENT_HMAC_SECRET,
      integrationId: config.PAYMENT_INTEGRATION_ID,
      notificationUrl: `${config.CALLBACK_URL}${receiveCallback.path}`,
      redirectionUrl: `${config.PUBLIC_URL}/thank-you`,
    },
    outsiders.payment,
    clock.now,
  )
  const payments = createPayments({
    database,
    store: paymentsStore,
    gateway: paymentGateway,
    orders,
    findUser: sessions.findUser,
    holdUser: sessions.holdUser,
    onPaid: shipments.wake,
    publicKey: config.PAYMENT_PUBLIC_KEY,
    clock,
    log: app.log,
    metrics,
  })

  const paymentsWorkersDeps = {
    store: paymentsStore,
    gateway: paymentGateway,
    orders,
    reconcile: payments.reconcile,
    clock,
    log: app.log,
  }
  const workers = {
    shipments,
    inquiries: createInquiryWorker(paymentsWorkersDeps),
    refunds: createRefundWorker(paymentsWorkersDeps),
  }

  const checkout = createCheckout({
    orders,
    partner,
    openPayment: payments.open,
    repeatPayment: payments.repeat,
    enabledTypes: config.ENABLED_BOOKING_TYPES,
  })

  registerHealth(app, {
    metrics,
    metricsFor: config.METRICS_TOKEN
      ? { token: config.METRICS_TOKEN }
      : config.MODE === 'demo'
        ? 'everybody'
        : 'nobody',
    clock,
    checks: {
      database: database.check,
      worker: async () => {
        const idle = Object.entries(workers).filter(([, worker]) => !worker.isRunning())
        if (idle.length > 0) throw new Error(`not running: ${idle.map(([name]) => name).join(', ')}`)
      },
    },
  })
  configRoutes(app, scope, {
    demo: config.MODE === 'demo',
    widget: { script: config.PAYMENT_WIDGET_SCRIPT, styles: [...config.PAYMENT_WIDGET_STYLES] },
    fare: { base: riyalsOf(fare.baseHalalas), return: riyalsOf(fare.returnHalalas), currency },
    maxWeightKg,
    enabledTypes: [...config.ENABLED_BOOKING_TYPES],
    contact: brand.contact,
    appLink: brand.androidAppUrl,
  })
  sessionsRoutes(app, scope, sessions, cookies)
  const account = createAccount({ database, sessions, orders, payments, clock, log: app.log })
  accountRoutes(app, scope, account, {
    sessionOf: (request) => request.cookies[cookies.session],
    forget: (reply) => forgetBrowser(reply, cookies),
  })
  partnerRoutes(app, scope, partner)
  checkoutRoutes(app, scope, checkout)
  paymentsRoutes(app, scope, payments)
  paymentsWebhook(app, scope, payments)
  ordersRoutes(app, scope, orders)
  await reportsRoutes(app, scope, createReports({ clock, log: app.log, metrics }))
  registerSecurityContact(app, { publicUrl: config.PUBLIC_URL, clock })

  if (parts.clientRoot) {
    const origins = [
      config.PAYMENT_WIDGET_SCRIPT,
      ...config.PAYMENT_WIDGET_STYLES,
      ...config.PAYMENT_WIDGET_FRAMES,
    ]
    await registerDocuments(app, {
      root: parts.clientRoot,
      pagePaths: Object.values(pages),
      widgetPath: pages.payment,
      reportPath: reportViolations.path,
      isHttps,
      widgetOrigins: [...new Set(origins.map((address) => new URL(address).origin))],
      onMissing: (request, reply) => sendProblem(request, reply, failure(platformErrors, 'NOT_FOUND')),
    })
  } else {
    app.setNotFoundHandler((request, reply) =>
      sendProblem(request, reply, failure(platformErrors, 'NOT_FOUND')),
    )
  }

  const forgetting = setInterval(() => {
    sessions.forget().catch((error) => app.log.error({ event: 'sessions.forget-failed', err: error }))
  }, forgetEveryMs)
  app.addHook('onReady', async () => {
    // SQLite has one gateway at a time: whoever held a lease was killed.
    if (database.engine === 'sqlite') await orders.freeLeases()
    for (const worker of Object.values(workers)) worker.start()
    // Not awaited: a partner that is down must not keep the gateway from starting.
    void partner.warmUp()
  })
  app.addHook('onClose', async () => {
    clearInterval(forgetting)
    await Promise.all(Object.values(workers).map((worker) => worker.stop()))
  })
  return app
}
