import { createAccount } from '#server/features/account/account.service.ts'
import { createAudit } from '#server/features/audit/audit.service.ts'
import { createAuditStore } from '#server/features/audit/audit.store.ts'
import { createCheckout } from '#server/features/checkout/checkout.service.ts'
import { createDemo, type DemoWorld } from '#server/features/demo/demo.service.ts'
import { createMessageProvider } from '#server/features/messages/messages.provider.http.ts'
import { createMessages } from '#server/features/messages/messages.service.ts'
import { createMessagesStore } from '#server/features/messages/messages.store.ts'
import { createOrders } from '#server/features/orders/orders.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createOtpProvider } from '#server/features/otp/otp.provider.http.ts'
import { createOtp } from '#server/features/otp/otp.service.ts'
import { createOtpStore } from '#server/features/otp/otp.store.ts'
import { createPartnerProvider } from '#server/features/partner/partner.provider.http.ts'
import { createPartner } from '#server/features/partner/partner.service.ts'
import { createPartnerStore } from '#server/features/partner/partner.store.ts'
import { createPaymentProvider } from '#server/features/payments/payments.provider.http.ts'
import { attemptRules } from '#server/features/payments/payments.rules.ts'
import { createPayments, summarizeRefunds } from '#server/features/payments/payments.service.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createPushProvider } from '#server/features/push/push.provider.http.ts'
import { type PushServiceName, pushServices } from '#server/features/push/push.rules.ts'
import { createPush } from '#server/features/push/push.service.ts'
import { createPushStore } from '#server/features/push/push.store.ts'
import { drawReceipts } from '#server/features/receipts/receipts.drawing.ts'
import { issuerOf } from '#server/features/receipts/receipts.rules.ts'
import { createReceipts, type ReceiptsService } from '#server/features/receipts/receipts.service.ts'
import { createReceiptsStore } from '#server/features/receipts/receipts.store.ts'
import { createReports } from '#server/features/reports/reports.service.ts'
import { createSessions } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createShares } from '#server/features/shares/shares.service.ts'
import { createSharesStore } from '#server/features/shares/shares.store.ts'
import { createShipmentProvider } from '#server/features/shipments/shipments.provider.http.ts'
import { createTrackingProvider } from '#server/features/tracking/tracking.provider.http.ts'
import { createTracking } from '#server/features/tracking/tracking.service.ts'
import { createTrackingStore } from '#server/features/tracking/tracking.store.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createExternalService, type ExternalService } from '#server/platform/external-service.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { receiveCallback } from '#shared/payments/payments.operations.ts'
import { pages } from '#shared/platform/pages.ts'

/** What services and workers are built from. */
export interface ServiceParts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Present where testers have calls; its clock is then `clock`. */
  readonly demo?: DemoWorld
}

/** Workers that a service wakes as soon as there is work for them. */
export interface WakeableWorkers {
  readonly shipments: { wake(): void }
  readonly inquiries: { wake(): void }
}

export type Services = ReturnType<typeof createServices>

/**
 * Builds every service, each after those it needs.
 * @param findWorkers called when there is work; a function, because workers need services and are built later.
 */
export function createServices(parts: ServiceParts, findWorkers: () => WakeableWorkers) {
  const { config, database, clock, log, metrics } = parts
  const stores = {
    sessions: createSessionsStore(database),
    messages: createMessagesStore(database),
    orders: createOrdersStore(database),
    payments: createPaymentsStore(database),
    tracking: createTrackingStore(database),
    receipts: createReceiptsStore(database),
  }
  const providers = createProviders(parts)

  const partner = createPartner({
    provider: providers.partner,
    store: createPartnerStore(database),
    clock,
    log,
    metrics,
  })
  const otp = createOtp({
    database,
    store: createOtpStore(database),
    provider: providers.otp,
    isAgent: async (phone) => (await partner.findAgentByPhone(phone)) !== undefined,
    isUser: async (phone) => (await stores.sessions.findUserByPhone(phone)) !== undefined,
    limits: config,
    clock,
    metrics,
    allowedCountries: config.ALLOWED_PHONE_COUNTRIES,
  })
  const sessions = createSessions({
    database,
    store: stores.sessions,
    otp,
    findAgentByPhone: async (phone) => {
      const agent = await partner.findAgentByPhone(phone)
      return agent && { partnerAgentId: agent.id, name: agent.name, phone }
    },
    offersMessages: config.MESSAGES_ENABLED,
    clock,
    log,
  })
  const push = createPush({
    database,
    store: createPushStore(database),
    sender: providers.push,
    clock,
    log,
    metrics,
  })
  const messages = createMessages({
    database,
    store: stores.messages,
    provider: providers.messages,
    // Built below: messages are written when everything is built.
    findFacts: async ({ kind, orderId, bookingId, refundId }) => {
      const news = await orders.readNews(kind, orderId, bookingId)
      const returned = refundId === null ? undefined : await payments.readReturned(refundId)
      return news && { ...news, returned: returned ?? null }
    },
    refuseSms: sessions.refuseSms,
    isEnabled: config.MESSAGES_ENABLED,
    push,
    publicUrl: config.PUBLIC_URL,
    callbackUrl: config.CALLBACK_URL,
    allowedCountries: config.ALLOWED_PHONE_COUNTRIES,
    clock,
    log,
    metrics,
  })
  const receipts: ReceiptsService = createReceipts({
    store: stores.receipts,
    findOrders: () => orders,
    issuer: issuerOf(config),
    draw: drawReceipts,
    clock,
    log,
    metrics,
  })
  const orders = createOrders({
    database,
    store: stores.orders,
    findUsers: sessions.findUsers,
    findUserIdByPhone: async (phone) => (await stores.sessions.findUserByPhone(phone))?.id,
    lockUser: sessions.lockUser,
    findRefunds: async (ids) => summarizeRefunds(await stores.payments.listRefunds(ids), clock.now()),
    findReceipts: receipts.findReceipts,
    // Built below: news come when everything is built.
    announce: async (news) => {
      await messages.announce(news)
      await tracking.hear(news)
    },
    openOrdersPerUser: config.limits.openOrdersPerUser,
    cancellation: config.CANCELLATION,
    clock,
  })
  const payments = createPayments({
    database,
    store: stores.payments,
    provider: providers.payment,
    orders,
    findUser: sessions.findUser,
    lockUser: sessions.lockUser,
    issueReceipt: receipts.issueReceipt,
    correctReceipt: receipts.correctReceipt,
    receiptReturned: receipts.receiptReturned,
    onPaid: () => findWorkers().shipments.wake(),
    onInquiryDue: () => findWorkers().inquiries.wake(),
    publicKey: config.PAYMENT_PUBLIC_KEY,
    openingTime: () => AbortSignal.timeout(attemptRules.openingMs),
    clock,
    log,
    metrics,
  })
  const checkout = createCheckout({
    orders,
    partner,
    openPayment: payments.open,
    repeatPayment: payments.repeat,
    enabledTypes: config.ENABLED_BOOKING_TYPES,
  })
  const shares = createShares({
    store: createSharesStore(database),
    orders,
    publicUrl: config.PUBLIC_URL,
    clock,
    log,
    metrics,
  })
  const audit = createAudit({ store: createAuditStore(database), clock })
  const account = createAccount({
    database,
    sessions,
    orders,
    payments,
    messages,
    push,
    receipts,
    shares,
    audit,
    callsPerUser: config.limits.accountCallsPerUser,
    clock,
    log,
  })
  const tracking = createTracking({
    database,
    store: stores.tracking,
    provider: providers.tracking,
    orders,
    webhookKey: config.SHIPPING_WEBHOOK_KEY,
    previousWebhookKey: config.SHIPPING_WEBHOOK_KEY_PREVIOUS,
    intervalMs: config.TRACKING_POLL_INTERVAL,
    silenceMs: config.TRACKING_SILENCE_HOURS * 60 * 60_000,
    clock,
    log,
    metrics,
  })
  const reports = createReports({ clock, log, metrics })
  const demo = parts.demo && createDemo({ ...parts.demo, database, sessions, orders, payments, messages })
  return {
    stores,
    providers,
    partner,
    otp,
    sessions,
    push,
    messages,
    orders,
    payments,
    receipts,
    shares,
    checkout,
    account,
    audit,
    tracking,
    reports,
    /** Undefined where testers have no calls. */
    demo,
  }
}

/** The external services, each behind a circuit breaker of its own. */
function createProviders({ config, clock, metrics }: ServiceParts) {
  const shipping = createExternalService('shipping', metrics)
  const shippingAccount = { baseUrl: config.SHIPPING_BASE_URL, apiKey: config.SHIPPING_API_KEY }
  return {
    otp: createOtpProvider(
      {
        baseUrl: config.OTP_BASE_URL,
        accountSid: config.OTP_ACCOUNT_SID,
        authToken: config.OTP_AUTH_TOKEN,
        services: { user: config.OTP_USER_SERVICE_SID, agent: config.OTP_AGENT_SERVICE_SID },
      },
      createExternalService('otp', metrics),
    ),
    payment: createPaymentProvider(
      {
        baseUrl: config.PAYMENT_BASE_URL,
        secretKey: config.PAYMENT_SECRET_KEY,
        apiKey: config.PAYMENT_API_KEY,
        hmacSecret: config.PAYMENT_HMAC_SECRET,
        previousHmacSecret: config.PAYMENT_HMAC_SECRET_PREVIOUS,
        integrationId: config.PAYMENT_INTEGRATION_ID,
        notificationUrl: `${config.CALLBACK_URL}${receiveCallback.path}`,
        redirectionUrl: `${config.PUBLIC_URL}${pages.thankYou}`,
      },
      {
        payment: createExternalService('payment', metrics),
        inquiry: createExternalService('payment_inquiry', metrics, 10_000),
      },
      clock.now,
    ),
    messages: createMessageProvider(
      {
        baseUrl: config.MESSAGES_BASE_URL,
        accountSid: config.MESSAGES_ACCOUNT_SID,
        authToken: config.MESSAGES_AUTH_TOKEN,
        from: config.MESSAGES_FROM,
      },
      createExternalService('messaging', metrics),
    ),
    push: createPushSender(config, metrics),
    partner: createPartnerProvider(shippingAccount, shipping),
    shipment: createShipmentProvider(shippingAccount, shipping),
    // A breaker of its own: a courier that does not track goes on making shipments.
    tracking: createTrackingProvider(shippingAccount, createExternalService('tracking', metrics)),
  }
}

/** Undefined where no push messages are sent. Each push service has a circuit breaker of its own. */
function createPushSender(
  { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject }: Config,
  metrics: Metrics,
) {
  if (!publicKey || !privateKey || !subject) return undefined
  const services = Object.fromEntries(
    pushServices.map((name) => [name, createExternalService(`push_${name}`, metrics)]),
  ) as Record<PushServiceName, ExternalService>
  return { publicKey, provider: createPushProvider({ publicKey, privateKey, subject }, services) }
}
