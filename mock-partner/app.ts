import { join } from 'node:path'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { isKnownHost } from '#shared/platform/known-host.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { registerControlRoutes } from './control/control.routes.ts'
import { masksFor } from './control/journal.masks.ts'
import { registerPanelRoutes } from './control/panel.routes.ts'
import type { TogetherOptions } from './control/together.routes.ts'
import { registerMessagingRoutes } from './messaging/messaging.routes.ts'
import { createMessageSubjects } from './messaging/messaging.subject.ts'
import { createMessagingWorld, type SmsAccount } from './messaging/messaging.world.ts'
import { registerOtpRoutes } from './otp/otp.routes.ts'
import { describeOtp } from './otp/otp.subject.ts'
import { createOtpWorld } from './otp/otp.world.ts'
import type { PaymentAccount } from './payment/payment.credentials.ts'
import { registerPaymentRoutes } from './payment/payment.routes.ts'
import { createPaymentService } from './payment/payment.service.ts'
import { describePayment } from './payment/payment.subject.ts'
import { registerWidgetRoutes } from './payment/payment.widget.routes.ts'
import { createPaymentWorld } from './payment/payment.world.ts'
import { type Clock, createClock } from './platform/clock.ts'
import { createDeliveries, type Post } from './platform/deliveries.ts'
import type { DemoGateway } from './platform/demo-gateway.ts'
import { type AskedRequest, createFaults, registerFaults } from './platform/faults.ts'
import { createIdSequence } from './platform/ids.ts'
import { journalAttempts } from './platform/journal.attempts.ts'
import { registerJournal } from './platform/journal.requests.ts'
import { createJournal } from './platform/journal.ts'
import { createNamedStates } from './platform/named-states.ts'
import { createSandboxes } from './platform/sandboxes.ts'
import { createScheduler, type SetTimer } from './platform/scheduler.ts'
import { createSnapshot } from './platform/snapshot.ts'
import type { Describe } from './platform/subject.ts'
import { createJourneys } from './shipping/shipping.journey.ts'
import { createFixedLabel, createLabelCache } from './shipping/shipping.label.ts'
import { createPushes } from './shipping/shipping.pushes.ts'
import { registerShippingRoutes } from './shipping/shipping.routes.ts'
import { createShippingControl, type SettingsDefaults } from './shipping/shipping.settings.ts'
import { describeShipping, orderNumberOf } from './shipping/shipping.subject.ts'
import { noTrackingCalls, registerTrackingRoutes } from './shipping/shipping.tracking.routes.ts'
import { createShipmentAnswers } from './shipping/shipping.wire.ts'
import { createShippingWorld } from './shipping/shipping.world.ts'

/** The keys the simulator accepts. */
export interface MockAccounts {
  otp: { accountSid: string; authToken: string; userServiceSid: string; agentServiceSid: string }
  messaging: SmsAccount
  payment: PaymentAccount
  shipping: { apiKey: string; webhookKey: string }
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
  shippingDefaults?: SettingsDefaults
  /** One label file for all shipments instead of a drawn one each. */
  hasFixedLabel?: boolean
  /** Where scans are pushed to; without it every push is lost. */
  trackingCallbackUrl?: string | undefined
  /** Addresses under which the simulator is reached, beside localhost, IP addresses and names without a dot. */
  knownUrls?: readonly string[]
  /** Changed together with the simulator by reset, snapshots and clock; without it they change the simulator alone. */
  gateway?: DemoGateway | undefined
  /** Decides by a fault's probability whether it occurs: 0 ≤ random < 1. */
  random?: () => number
}

/** State and services, without HTTP. */
function createServices(options: MockPartnerOptions, accounts: MockAccounts, onChange: () => void) {
  const clock = options.clock ?? createClock()
  const scheduler = createScheduler(clock, options.setTimer)
  const journal = createJournal({ ids: createIdSequence(clock), masks: masksFor(accounts) })
  const newDeliveries = () =>
    createDeliveries({
      clock,
      scheduler,
      ids: createIdSequence(clock),
      onChange,
      onAttempt: journalAttempts(journal),
      ...(options.post === undefined ? {} : { post: options.post }),
    })
  const deliveries = newDeliveries()
  // Of its own: the callbacks of payments are counted, and status callbacks of messages must not count as such.
  const messageDeliveries = newDeliveries()
  const payment = createPaymentWorld({ clock, random: options.random })
  const shipping = createShippingWorld({ clock })
  const journeys = createJourneys({
    world: shipping,
    scheduler,
    onScans: (shipment, scans) => {
      onChange()
      void pushes.push(shipment, scans)
    },
  })
  const pushes = createPushes({
    deliveries,
    journeys,
    target:
      options.trackingCallbackUrl === undefined
        ? undefined
        : { url: options.trackingCallbackUrl, key: accounts.shipping.webhookKey },
    random: options.random ?? Math.random,
  })
  const sandboxes = createSandboxes()
  /** A request without a phone has that of its orders. One about orders of several testers is of no sandbox. */
  function sandboxOf({ phone, orders }: AskedRequest): string | undefined {
    if (phone !== null) return sandboxes.nameOf(phone)
    const phones = orders.map((order) => payment.findAll(String(order))[0]?.billing.phone_number ?? null)
    const names = new Set(phones.map(sandboxes.nameOf))
    return names.size === 1 ? [...names][0] : undefined
  }
  const messageSubjects = createMessageSubjects((awb) => {
    const shipment = shipping.findByNumber(awb)
    return shipment && orderNumberOf(shipment)
  })
  return {
    clock,
    scheduler,
    sandboxes,
    faults: createFaults(options.random, { isAny: sandboxes.isAny, sandboxOf }),
    journal,
    deliveries,
    otp: createOtpWorld({
      clock,
      services: { [accounts.otp.userServiceSid]: 'user', [accounts.otp.agentServiceSid]: 'agent' },
      ...(options.newCode === undefined ? {} : { newCode: options.newCode }),
    }),
    messageDeliveries,
    messageSubjects,
    messaging: createMessagingWorld({
      clock,
      scheduler,
      deliveries: messageDeliveries,
      account: accounts.messaging,
      subjects: messageSubjects,
      onChange,
    }),
    payment,
    payments: createPaymentService({
      clock,
      world: payment,
      deliveries,
      scheduler,
      hmacSecret: accounts.payment.hmacSecret,
    }),
    shipping,
    journeys,
    pushes,
    trackingCounts: noTrackingCalls(),
    shippingControl: createShippingControl(options.shippingDefaults),
  }
}
type Services = ReturnType<typeof createServices>

/** Raised whenever the stored form changes; files of other versions are not read. */
const snapshotVersion = 1

interface StoredState {
  version: number
  aheadMs: number
  otp: unknown
  payment: unknown
  deliveries: unknown
  shipping: unknown
  /** Absent in files of older versions. */
  journeys?: unknown
  messaging?: unknown
}

const stateOf = ({
  clock,
  otp,
  payment,
  deliveries,
  shipping,
  journeys,
  messaging,
}: Services): StoredState => ({
  version: snapshotVersion,
  aheadMs: clock.aheadMs(),
  otp: otp.snapshot(),
  payment: payment.snapshot(),
  deliveries: deliveries.snapshot(),
  shipping: shipping.snapshot(),
  journeys: journeys.snapshot(),
  messaging: messaging.snapshot(),
})

function empty({ scheduler, trackingCounts, ...worlds }: Services): void {
  scheduler.cancelAll()
  const { deliveries, messageDeliveries, otp, payment, shipping, journeys, messaging, journal } = worlds
  for (const each of [deliveries, messageDeliveries, otp, payment, shipping, journeys, messaging, journal])
    each.reset()
  Object.assign(trackingCounts, noTrackingCalls())
}

/** Into empty services. @throws when it cannot be read. */
function resume(services: Services, state: StoredState): void {
  const { clock, otp, payment, payments, deliveries, shipping, journeys, messaging } = services
  if (state.version !== snapshotVersion) throw new Error('written by another version')
  clock.advance(state.aheadMs)
  otp.restore(state.otp)
  payment.restore(state.payment)
  deliveries.restore(state.deliveries)
  shipping.restore(state.shipping)
  journeys.restore(state.journeys)
  messaging.restore(state.messaging)
  payments.resume()
}

/** Continues from a stored state; starts empty when it cannot be read. */
function restore(services: Services, stored: unknown, log: FastifyBaseLogger): void {
  if (stored === undefined) return
  try {
    resume(services, stored as StoredState)
  } catch (error) {
    log.warn(error, 'the stored state cannot be read; starting with an empty one')
    services.clock.reset()
    empty(services)
  }
}

/** The routes of the simulated services and of the control API, each below its own prefix. */
function registerServices(
  app: FastifyInstance,
  services: Services,
  {
    accounts,
    onChange,
    together,
    hasFixedLabel = false,
  }: {
    accounts: MockAccounts
    onChange: () => void
    together: Pick<TogetherOptions, 'gateway' | 'reset' | 'saveState' | 'findState'>
    hasFixedLabel: boolean | undefined
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
  const watch = (scope: FastifyInstance, name: string, describe: Describe): void => {
    registerJournal(scope, { clock, journal, service: name, describe })
    registerFaults(scope, name, faults, scheduler, describe)
  }

  service('/otp', async (scope) => {
    watch(scope, 'otp', describeOtp(services.otp))
    const { accountSid, authToken, userServiceSid, agentServiceSid } = accounts.otp
    await registerOtpRoutes(scope, {
      world: services.otp,
      account: { accountSid, authToken, serviceSids: [userServiceSid, agentServiceSid] },
    })
  })
  service('/messaging', async (scope) => {
    watch(scope, 'messaging', services.messageSubjects.describe(messaging))
    await registerMessagingRoutes(scope, { world: messaging, account: accounts.messaging })
  })
  service('/payment', async (scope) => {
    watch(scope, 'payment', describePayment(payment))
    const { payment: account } = accounts
    await registerPaymentRoutes(scope, { clock, world: payment, service: payments, account })
  })
  // Without faults: they are those of the provider's API.
  service('/payment/widget', async (scope) => {
    registerJournal(scope, { clock, journal, service: 'payment', describe: describePayment(payment) })
    const { publicKey } = accounts.payment
    await registerWidgetRoutes(scope, { world: payment, service: payments, publicKey })
  })
  const label = hasFixedLabel ? createFixedLabel() : createLabelCache()
  const { shipping: world, journeys, shippingControl: control } = services
  const { apiKey } = accounts.shipping
  service('/shipping', async (scope) => {
    watch(scope, 'shipping', describeShipping(world))
    await registerShippingRoutes(scope, { world, journeys, control, apiKey, label })
  })
  // The same base URL, but faults of its own: a courier that does not track goes on making shipments.
  service('/shipping', async (scope) => {
    watch(scope, 'tracking', describeShipping(world))
    await registerTrackingRoutes(scope, {
      answers: createShipmentAnswers({ world, journeys, control, label }),
      apiKey,
      counts: services.trackingCounts,
    })
  })
  app.register(
    async (scope) => {
      scope.addHook('onResponse', async (request) => {
        if (request.method !== 'GET') onChange()
      })
      await registerControlRoutes(scope, { ...services, ...together })
    },
    { prefix: '/control' },
  )
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
  const snapshot =
    options.dataDir === undefined
      ? undefined
      : createSnapshot({
          path: join(options.dataDir, 'mock-partner.json'),
          take: () => stateOf(services),
          onError: (error) => app.log.error(error, 'storing the state failed'),
        })
  restore(services, snapshot?.read(), app.log)

  function reset(): void {
    services.clock.reset()
    services.faults.reset()
    services.sandboxes.clear()
    services.shippingControl.reset()
    services.payments.refuseNext(undefined)
    empty(services)
    onChange()
  }

  const states = createNamedStates(
    options.dataDir === undefined ? undefined : join(options.dataDir, 'mock-partner-snapshots'),
  )
  function findState(name: string): (() => void) | undefined {
    const state = states.read(name) as StoredState | undefined
    if (state?.version !== snapshotVersion) return undefined
    return () => {
      reset()
      resume(services, state)
      onChange()
    }
  }
  const saveState = (name: string): void => states.save(name, stateOf(services))

  registerServices(app, services, {
    accounts,
    onChange,
    together: { gateway: options.gateway, reset, saveState, findState },
    hasFixedLabel: options.hasFixedLabel,
  })
  app.addHook('onClose', async () => {
    services.scheduler.cancelAll()
    await services.deliveries.close()
    await services.messageDeliveries.close()
    await snapshot?.close()
  })

  return { app, ...services, reset }
}
