import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { isKnownHost } from '#shared/platform/known-host.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import type { BothSidesOptions } from './control/both-sides.routes.ts'
import { registerControlRoutes } from './control/control.routes.ts'
import { registerPanelRoutes } from './control/panel.routes.ts'
import { refuseForeignPages } from './control/same-origin.ts'
import { registerIdentityRoutes } from './identity/identity.routes.ts'
import { createIdentityState, type IdentityState } from './identity/identity.state.ts'
import { createMailServer } from './mail/mail.server.ts'
import { createMailState } from './mail/mail.state.ts'
import { createMessageReferences } from './messaging/messaging.references.ts'
import { registerMessagingRoutes } from './messaging/messaging.routes.ts'
import { createMessagingState, type SmsAccount } from './messaging/messaging.state.ts'
import { findOtpReferences } from './otp/otp.references.ts'
import { registerOtpRoutes } from './otp/otp.routes.ts'
import { createOtpState } from './otp/otp.state.ts'
import type { PaymentAccount } from './payment/payment.credentials.ts'
import { findPaymentReferences } from './payment/payment.references.ts'
import { registerPaymentRoutes } from './payment/payment.routes.ts'
import { createPaymentService } from './payment/payment.service.ts'
import { createPaymentState } from './payment/payment.state.ts'
import { registerWidgetRoutes } from './payment/payment.widget.routes.ts'
import { type Clock, createClock } from './platform/clock.ts'
import { createDeliveries, type Post } from './platform/deliveries.ts'
import type { DemoGateway } from './platform/demo-gateway.ts'
import { createFaults, registerFaults } from './platform/faults.ts'
import { createIdSequence } from './platform/ids.ts'
import { createMasks } from './platform/journal.masks.ts'
import { registerJournal } from './platform/journal.requests.ts'
import { createJournal } from './platform/journal.ts'
import { type FindReferences, noReferences } from './platform/references.ts'
import { createScheduler, type SetTimer } from './platform/scheduler.ts'
import { createSnapshot } from './platform/snapshot.ts'
import { createJourneys } from './shipping/shipping.journey.ts'
import { createFixedLabel, createLabelCache } from './shipping/shipping.label.ts'
import { createPushes } from './shipping/shipping.pushes.ts'
import { findShippingReferences, orderNumberOf } from './shipping/shipping.references.ts'
import { registerShippingRoutes } from './shipping/shipping.routes.ts'
import { createShippingControl } from './shipping/shipping.settings.ts'
import { createShippingState } from './shipping/shipping.state.ts'
import { registerTrackingRoutes } from './shipping/shipping.tracking.routes.ts'
import { createShipmentAnswers } from './shipping/shipping.wire.ts'
import { registerWalletRoutes } from './wallet/wallet.routes.ts'

/** The keys the simulator accepts. */
export interface MockAccounts {
  otp: { accountSid: string; authToken: string; userServiceSid: string; agentServiceSid: string }
  messaging: SmsAccount
  payment: PaymentAccount
  shipping: { apiKey: string; webhookKey: string }
  identity: { clientId: string; clientSecret: string }
}

/** Addresses of the identity provider and the gateway. */
export interface IdentityUrls {
  /** The provider, as browsers open it. Default: this simulator on localhost. */
  issuer?: string
  /** The desk, as browsers open it. */
  deskUrl: string
  /** The gateway, as this simulator reaches it. */
  gatewayUrl: string
}

export interface MockPartnerOptions {
  accounts?: MockAccounts
  /** Folder of the stored state; without it nothing is stored. */
  dataDir?: string | undefined
  logLevel?: string
  clock?: Clock
  /** Tests pass timers that never fire and advance the clock instead. */
  setTimer?: SetTimer
  /** Replaces the HTTP client that delivers callbacks. */
  post?: Post
  /** Makes the next one-time code. */
  newCode?: () => string
  /** Lag of the shipping partner's look-ups when the simulator starts; none by default. */
  shippingLagMs?: number
  /** One label file for all shipments instead of a drawn one each. */
  hasFixedLabel?: boolean
  /** The address to which scans are pushed; without it every push is lost. */
  trackingCallbackUrl?: string | undefined
  /** Without it no one signs in at the desk. */
  identity?: IdentityUrls | undefined
  /** Addresses under which the simulator is reached, beside localhost, IP addresses and names without a dot. */
  knownUrls?: readonly string[]
  /** Changed together with the simulator by reset and clock; without it they change the simulator alone. */
  gateway?: DemoGateway | undefined
  /** Decides by a fault's probability whether it occurs: 0 ≤ random < 1. */
  random?: () => number
}

/** State and services, without HTTP. */
function createServices(options: MockPartnerOptions, accounts: MockAccounts, onChange: () => void) {
  const { random = Math.random, trackingCallbackUrl } = options
  const clock = options.clock ?? createClock()
  const scheduler = createScheduler(clock, options.setTimer)
  const journal = createJournal({ ids: createIdSequence(clock), masks: createMasks(accounts) })
  const ids = createIdSequence(clock)
  const deliveries = createDeliveries({ clock, scheduler, ids, journal, onChange, post: options.post })
  const payment = createPaymentState({ clock, random })
  const shipping = createShippingState({ clock })
  const journeys = createJourneys({ state: shipping, scheduler })
  const pushes = createPushes({
    deliveries,
    journeys,
    target: trackingCallbackUrl ? { url: trackingCallbackUrl, key: accounts.shipping.webhookKey } : undefined,
    random,
  })
  journeys.onScans((shipment, scans) => {
    onChange()
    void pushes.push(shipment, scans)
  })
  const messageReferences = createMessageReferences((awb) => {
    const shipment = shipping.findByNumber(awb)
    return shipment && orderNumberOf(shipment)
  })
  const mail = createMailState({ clock })
  return {
    clock,
    scheduler,
    mail,
    mailServer: createMailServer({ state: mail, onChange }),
    faults: createFaults(random),
    journal,
    deliveries,
    otp: createOtpState({
      clock,
      services: { [accounts.otp.userServiceSid]: 'user', [accounts.otp.agentServiceSid]: 'agent' },
      newCode: options.newCode,
      deliver: (to, letter) =>
        mail.deliver({
          by: 'otp',
          from: 'verify@otp.test',
          to,
          ...letter,
          messageId: '',
          attachments: [],
          pictures: [],
        }),
    }),
    messageReferences,
    messaging: createMessagingState({
      clock,
      scheduler,
      deliveries,
      account: accounts.messaging,
      references: messageReferences,
      onChange,
    }),
    payment,
    payments: createPaymentService({
      clock,
      state: payment,
      deliveries,
      scheduler,
      hmacSecret: accounts.payment.hmacSecret,
    }),
    shipping,
    journeys,
    pushes,
    shippingControl: createShippingControl(options.shippingLagMs),
  }
}
type Services = ReturnType<typeof createServices>

/** Raised whenever the stored form changes; states of other versions are not read. */
const stateVersion = 3

interface StoredState extends Record<string, unknown> {
  version: number
  aheadMs: number
}

interface StoredPart {
  snapshot(): unknown
  /** Into an empty part. */
  restore(stored: unknown): void
  reset(): void
}

/** The state of all services as one document. */
function createState(services: Services) {
  const { clock, scheduler, otp, payment, payments, deliveries, shipping, journeys, messaging, mail } =
    services
  const parts: Record<string, StoredPart> = { otp, payment, deliveries, shipping, journeys, messaging, mail }

  function reset(): void {
    scheduler.cancelAll()
    clock.reset()
    for (const part of Object.values(parts)) part.reset()
    services.journal.reset()
    services.faults.clear()
    services.shippingControl.reset()
    payments.refuseNext(undefined)
  }

  return {
    reset,
    isReadable: (stored: unknown): stored is StoredState =>
      (stored as StoredState | undefined)?.version === stateVersion,
    take: (): StoredState => ({
      version: stateVersion,
      aheadMs: clock.aheadMs(),
      ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.snapshot()])),
    }),
    /** Replaces everything. @throws when it cannot be read. */
    restore(stored: StoredState): void {
      reset()
      clock.advance(stored.aheadMs)
      for (const [name, part] of Object.entries(parts)) part.restore(stored[name])
      payments.resume()
    },
  }
}

/** The routes of the simulated services and of the control API, each below its own prefix. */
function registerServices(
  app: FastifyInstance,
  services: Services,
  {
    accounts,
    onChange,
    bothSides,
    hasFixedLabel = false,
    identity,
  }: {
    accounts: MockAccounts
    onChange: () => void
    bothSides: Pick<BothSidesOptions, 'gateway' | 'reset'>
    hasFixedLabel: boolean | undefined
    identity: IdentityState | undefined
  },
): void {
  const { clock, scheduler, faults, journal, messaging, payment, payments } = services
  const service = (prefix: string, register: (scope: FastifyInstance) => Promise<void>) =>
    app.register(
      async (scope) => {
        scope.addHook('onResponse', async () => onChange())
        await register(scope)
      },
      { prefix },
    )
  const watch = (scope: FastifyInstance, name: string, findReferences: FindReferences): void => {
    registerJournal(scope, { clock, journal, service: name, findReferences })
    registerFaults(scope, name, faults, scheduler, findReferences)
  }

  service('/otp', async (scope) => {
    watch(scope, 'otp', findOtpReferences(services.otp))
    const { accountSid, authToken, userServiceSid, agentServiceSid } = accounts.otp
    await registerOtpRoutes(scope, {
      state: services.otp,
      account: { accountSid, authToken, serviceSids: [userServiceSid, agentServiceSid] },
    })
  })
  service('/messaging', async (scope) => {
    watch(scope, 'messaging', services.messageReferences.find(messaging))
    await registerMessagingRoutes(scope, { state: messaging, account: accounts.messaging })
  })
  service('/payment', async (scope) => {
    watch(scope, 'payment', findPaymentReferences(payment))
    const { payment: account } = accounts
    await registerPaymentRoutes(scope, { clock, state: payment, service: payments, account })
  })
  // Without faults: they are those of the provider's API.
  service('/payment/widget', async (scope) => {
    registerJournal(scope, {
      clock,
      journal,
      service: 'payment',
      findReferences: findPaymentReferences(payment),
    })
    const { publicKey } = accounts.payment
    await registerWidgetRoutes(scope, { state: payment, service: payments, publicKey })
  })
  const label = hasFixedLabel ? createFixedLabel() : createLabelCache()
  const { shipping: state, journeys, shippingControl: control } = services
  const { apiKey } = accounts.shipping
  service('/shipping', async (scope) => {
    watch(scope, 'shipping', findShippingReferences(state))
    await registerShippingRoutes(scope, { state, journeys, control, apiKey, label })
  })
  // The same base URL, but faults of its own: a courier that does not track goes on making shipments.
  service('/shipping', async (scope) => {
    watch(scope, 'tracking', findShippingReferences(state))
    await registerTrackingRoutes(scope, {
      answers: createShipmentAnswers({ state, journeys, control, label }),
      apiKey,
      counts: state.trackingCounts,
    })
  })
  if (identity !== undefined)
    app.register(
      async (scope) => {
        watch(scope, 'identity', noReferences)
        refuseForeignPages(scope)
        await registerIdentityRoutes(scope, identity)
      },
      { prefix: '/identity' },
    )
  app.register(
    async (scope) => {
      scope.addHook('onResponse', async (request) => {
        if (request.method !== 'GET') onChange()
      })
      await registerControlRoutes(scope, { ...services, ...bothSides })
    },
    { prefix: '/control' },
  )
  app.register(registerWalletRoutes, { prefix: '/wallet' })
  app.register(registerPanelRoutes)
}

/** All three external services, the control API and the panel, not yet listening. `app.close()` stores the state. */
export function createMockPartner(options: MockPartnerOptions = {}) {
  const accounts = options.accounts ?? demoAccounts
  const app = Fastify({
    logger: options.logLevel === undefined ? false : { level: options.logLevel },
    // Hung requests must not keep a closing simulator alive.
    forceCloseConnections: true,
    bodyLimit: 1_048_576,
  })
  // A page elsewhere could point its own name at this machine, and would then be of the panel's origin.
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (isKnownHost(headers.host, options.knownUrls ?? [])) return
    return reply
      .code(421)
      .send({ code: 'UNKNOWN_HOST', message: 'the simulator is not reached by this name' })
  })
  const onChange = (): void => snapshot?.touch()
  const services = createServices(options, accounts, onChange)
  const state = createState(services)
  const { dataDir } = options
  const snapshot =
    dataDir === undefined
      ? undefined
      : createSnapshot({
          path: join(dataDir, 'mock-partner.json'),
          take: state.take,
          onError: (error) => app.log.error(error, 'storing the state failed'),
        })
  const stored = snapshot?.read()
  if (stored !== undefined)
    try {
      if (!state.isReadable(stored)) throw new Error('written by another version')
      state.restore(stored)
    } catch (error) {
      app.log.warn(error, 'the stored state cannot be read; starting with an empty one')
      state.reset()
    }

  function reset(): void {
    state.reset()
    identity?.reset()
    onChange()
  }
  const identity =
    options.identity &&
    createIdentityState({
      ...options.identity,
      issuer: () =>
        options.identity?.issuer ?? `http://localhost:${(app.server.address() as AddressInfo).port}/identity`,
      account: accounts.identity,
      clock: services.clock,
      journal: services.journal,
    })

  registerServices(app, services, {
    accounts,
    onChange,
    bothSides: { gateway: options.gateway, reset },
    hasFixedLabel: options.hasFixedLabel,
    identity,
  })
  app.addHook('onClose', async () => {
    services.scheduler.cancelAll()
    await services.mailServer.close()
    await services.deliveries.close()
    await snapshot?.close()
  })

  return { app, ...services, identity, reset }
}
