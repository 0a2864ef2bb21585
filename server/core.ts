import type { IdentityProvider } from '#server/desk/staff/identity.provider.ts'
import { identityOf } from '#server/desk/staff/identity.ts'
import { createMailProvider } from '#server/features/messages/mail.provider.smtp.ts'
import type { MailProvider } from '#server/features/messages/mail.provider.ts'
import { createMessageProvider } from '#server/features/messages/messages.provider.http.ts'
import type { MessageProvider } from '#server/features/messages/messages.provider.ts'
import { newSendingState, type SendingState } from '#server/features/messages/messages.state.ts'
import { createOtpProvider } from '#server/features/otp/otp.provider.http.ts'
import type { OtpProvider } from '#server/features/otp/otp.provider.ts'
import { createPartnerProvider } from '#server/features/partner/partner.provider.http.ts'
import type { PartnerProvider } from '#server/features/partner/partner.provider.ts'
import { emptyPartnerLists, type PartnerLists } from '#server/features/partner/partner-lists.ts'
import { createGoogleWallet } from '#server/features/passes/google-wallet.provider.ts'
import type { PassProvider } from '#server/features/passes/passes.provider.ts'
import { createPaymentProvider } from '#server/features/payments/payments.provider.http.ts'
import type { PaymentProvider } from '#server/features/payments/payments.provider.ts'
import { createPushProvider } from '#server/features/push/push.provider.http.ts'
import type { PushProvider } from '#server/features/push/push.provider.ts'
import { type PushServiceName, pushServices } from '#server/features/push/push.rules.ts'
import { newReceiptDrawing, type ReceiptDrawing } from '#server/features/receipts/receipts.drawing.ts'
import { emptyReportLines, type ReportLines } from '#server/features/reports/report-lines.ts'
import { createShipmentProvider } from '#server/features/shipments/shipments.provider.http.ts'
import type { ShipmentProvider } from '#server/features/shipments/shipments.provider.ts'
import { noShownStops, type ShownStops } from '#server/features/stops/shown-stops.ts'
import { createTrackingProvider } from '#server/features/tracking/tracking.provider.http.ts'
import type { CodeText, TrackingProvider } from '#server/features/tracking/tracking.provider.ts'
import { type Config, isLoopback, simulatorForBrowsers } from '#server/platform/config.ts'
import {
  createPlatformCore,
  type PlatformCore,
  type PlatformParts,
  type ServicesCore,
} from '#server/platform/core.ts'
import { demoWalletAccount } from '#server/platform/demo-wallet-account.ts'
import type { ExternalService } from '#server/platform/external-service.ts'
import type { Routes } from '#server/platform/routes.ts'
import { createTurns, type Turns } from '#server/platform/turns.ts'
import type { KeptTerms } from '#shared/orders/terms.schemas.ts'
import { receiveCallback } from '#shared/payments/payments.api.ts'
import { brand } from '#shared/platform/brand.ts'
import { pages } from '#shared/platform/pages.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { saveLink } from '#shared/wire/wallet/wallet.wire.ts'
import { type Counters, declareCounters } from './counters.ts'

export interface Providers {
  // desk
  readonly identity: IdentityProvider | undefined
  // desk
  readonly mail: MailProvider | undefined
  readonly messages: MessageProvider
  readonly otp: OtpProvider
  readonly partner: PartnerProvider
  readonly payments: PaymentProvider
  readonly push: PushProvider | undefined
  readonly shipments: ShipmentProvider
  readonly tracking: TrackingProvider
  readonly wallet: PassProvider | undefined
}

/** Everything that a gateway keeps in memory. Every verb and step takes it. */
export interface Core extends PlatformCore {
  readonly counters: Counters
  /** Payment callbacks that are stored and answered, but not applied yet, oldest first. */
  readonly callbacksUnderWay: Set<{ readonly at: number }>
  readonly partnerLists: PartnerLists
  readonly reportLines: ReportLines
  readonly shownStops: ShownStops
  readonly providers: Providers
  /** Routes are functions, because `npm run ops` needs the features without them. */
  readonly routes: ((core: Core, routes: Routes) => void | Promise<void>)[]
  readonly keptTerms: Map<string, KeptTerms>
  readonly labelGuesses: Map<string, number>
  readonly searchTurns: Turns<string>
  /** Texts of scans. Keys are the courier's scan codes in capital letters. */
  readonly codeTexts: { texts: ReadonlyMap<string, CodeText>; readAt: number }
  readonly receiptDrawing: ReceiptDrawing
  readonly sending: SendingState
  /** One-time codes for the same role and phone are sent and checked one after the other. */
  readonly codeTurns: ReturnType<typeof createTurns<string>>
}

export function createCore({
  providers,
  ...parts
}: PlatformParts & { readonly providers?: Partial<Providers> }): Core {
  const core = createPlatformCore(parts)
  return {
    ...core,
    counters: declareCounters(core.metrics),
    callbacksUnderWay: new Set(),
    partnerLists: emptyPartnerLists(),
    reportLines: emptyReportLines(),
    shownStops: noShownStops(),
    providers: { ...createProviders(core), ...providers },
    routes: [],
    keptTerms: new Map(),
    labelGuesses: new Map(),
    searchTurns: createTurns(),
    codeTexts: {
      texts: new Map(),
      readAt: Number.NEGATIVE_INFINITY,
    },
    receiptDrawing: newReceiptDrawing(),
    sending: newSendingState(),
    codeTurns: createTurns(),
  }
}

/** `npm run ops -- check-partners` calls the providers without a database. */
export function createProviders(core: ServicesCore): Providers {
  const { config, externalService } = core
  const shipping = {
    baseUrl: config.SHIPPING_BASE_URL,
    apiKey: config.SHIPPING_API_KEY,
  }
  return {
    // desk
    identity: identityOf(core),
    // desk
    mail: mailOf(config),
    messages: createMessageProvider(
      {
        baseUrl: config.MESSAGES_BASE_URL,
        accountSid: config.MESSAGES_ACCOUNT_SID,
        authToken: config.MESSAGES_AUTH_TOKEN,
        from: config.MESSAGES_FROM,
      },
      externalService('messaging'),
    ),
    otp: createOtpProvider(
      {
        baseUrl: config.OTP_BASE_URL,
        accountSid: config.OTP_ACCOUNT_SID,
        authToken: config.OTP_AUTH_TOKEN,
        services: {
          user: config.OTP_USER_SERVICE_SID,
          agent: config.OTP_AGENT_SERVICE_SID,
        },
      },
      {
        sms: externalService('otp'),
        whatsapp: externalService('otp_whatsapp'),
        call: externalService('otp_call'),
        email: externalService('otp_email'),
        delivery: externalService('otp_delivery'),
      },
    ),
    partner: createPartnerProvider(shipping, externalService('shipping')),
    payments: paymentsOf(core),
    push: pushOf(core),
    shipments: createShipmentProvider(shipping, externalService('shipping')),
    // Tracking has its own circuit breaker: shipments are created even while the courier's tracking is down.
    tracking: createTrackingProvider(shipping, externalService('tracking')),
    wallet: walletOf(core),
  }
}

function mailOf({ SMTP_URL: url, SMTP_FROM: from }: Config): MailProvider | undefined {
  if (url === undefined || from === undefined) return undefined
  return createMailProvider({ url, from, name: brand.name.en, demandsTls: !isLoopback(url) })
}

function paymentsOf({ config, clock, externalService }: ServicesCore): PaymentProvider {
  return createPaymentProvider(
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
      payment: externalService('payment'),
      inquiry: externalService('payment_inquiry', 10_000),
    },
    clock.now,
  )
}

function pushOf({ config, externalService }: ServicesCore): PushProvider | undefined {
  if (!config.VAPID_PRIVATE_KEY) return undefined
  const services = Object.fromEntries(
    pushServices.map((name) => [name, externalService(`push_${name}`)]),
  ) as Record<PushServiceName, ExternalService>
  const keys = { privateKey: config.VAPID_PRIVATE_KEY, subject: `mailto:${brand.contact.email}` }
  return createPushProvider(keys, services)
}

/** Google refuses the demo's wallet account; only the simulator accepts it. */
function walletOf({ config, clock }: ServicesCore): PassProvider | undefined {
  const { GOOGLE_WALLET_ISSUER_ID: issuerId, GOOGLE_WALLET_ACCOUNT: account, MODE } = config
  const isTest = MODE === 'demo'
  if (issuerId !== undefined && account !== undefined)
    return createGoogleWallet({ ...account, issuerId, saveLink, clock, isTest })
  const simulator = isTest ? simulatorForBrowsers(config) : undefined
  if (simulator === undefined) return undefined
  return createGoogleWallet({
    ...demoWalletAccount(),
    issuerId: demoAccounts.wallet.issuerId,
    saveLink: `${simulator}/wallet${new URL(saveLink).pathname}`,
    clock,
    isTest,
  })
}
