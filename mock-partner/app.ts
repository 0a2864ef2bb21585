import { join } from 'node:path'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { registerControlRoutes } from './control/control.routes.ts'
import { registerPanelRoutes } from './control/panel.routes.ts'
import { registerOtpRoutes } from './otp/otp.routes.ts'
import { createOtpWorld, type OtpWorld } from './otp/otp.world.ts'
import { type PaymentAccount, registerPaymentRoutes } from './payment/payment.routes.ts'
import { createPaymentService, type PaymentService } from './payment/payment.service.ts'
import { registerWidgetRoutes } from './payment/payment.widget.routes.ts'
import { createPaymentWorld, type PaymentWorld } from './payment/payment.world.ts'
import { createClock, type OwnedClock } from './platform/clock.ts'
import { createDeliveries, type Deliveries, type Post } from './platform/deliveries.ts'
import { createFaults, type Faults, plantFaults } from './platform/faults.ts'
import { createIdSequence } from './platform/ids.ts'
import { createScheduler, type Scheduler, type SetTimer } from './platform/scheduler.ts'
import { createSnapshot } from './platform/snapshot.ts'
import { registerShippingRoutes } from './shipping/shipping.routes.ts'
import { createShippingWorld, type ShippingWorld } from './shipping/shipping.world.ts'

/** The keys the simulator accepts. */
export interface MockAccounts {
  otp: { accountSid: string; authToken: string; userServiceSid: string; agentServiceSid: string }
  payment: PaymentAccount
  shipping: { apiKey: string }
}

export interface MockPartnerOptions {
  accounts?: MockAccounts
  /** Folder of the remembered world; without it everything is forgotten at close. */
  dataDir?: string | undefined
  logLevel?: string
  clock?: OwnedClock
  /** Tests hand in timers that never fire and move the clock instead. */
  setTimer?: SetTimer
  /** Takes the place of the HTTP client that delivers callbacks. */
  post?: Post
  /** Code of the next one-time code. */
  newCode?: () => string
  /** Decides, with a fault's probability, whether it strikes: 0 ≤ random < 1. */
  random?: () => number
}

export interface MockPartner {
  app: FastifyInstance
  clock: OwnedClock
  scheduler: Scheduler
  faults: Faults
  deliveries: Deliveries
  otp: OtpWorld
  payment: PaymentWorld
  payments: PaymentService
  shipping: ShippingWorld
  reset(): void
}

/** Raised whenever the stored form of a world changes; older files are set aside. */
const snapshotVersion = 1

interface StoredWorld {
  version: number
  aheadMs: number
  otp: unknown
  payment: unknown
  deliveries: unknown
  shipping: unknown
}

/** All three outsiders and the testers' side, not yet listening. `app.close()` writes what is to be remembered. */
export function createMockPartner(options: MockPartnerOptions = {}): MockPartner {
  const accounts = options.accounts ?? demoAccounts
  const app = Fastify({
    logger: options.logLevel === undefined ? false : { level: options.logLevel },
    // Hung requests must not keep a closing simulator alive.
    forceCloseConnections: true,
    bodyLimit: 1_048_576,
  })

  const clock = options.clock ?? createClock()
  const scheduler = createScheduler(clock, options.setTimer)
  const faults = createFaults(options.random)
  const deliveries = createDeliveries({
    clock,
    scheduler,
    ids: createIdSequence(clock),
    onChange: () => snapshot?.touch(),
    ...(options.post === undefined ? {} : { post: options.post }),
  })
  const { otp: otpAccount } = accounts
  const otp = createOtpWorld({
    clock,
    services: { [otpAccount.userServiceSid]: 'user', [otpAccount.agentServiceSid]: 'agent' },
    ...(options.newCode === undefined ? {} : { newCode: options.newCode }),
  })
  const payment = createPaymentWorld({ clock })
  const payments = createPaymentService({
    clock,
    world: payment,
    deliveries,
    scheduler,
    hmacSecret: accounts.payment.hmacSecret,
  })
  const shipping = createShippingWorld({ clock })

  function empty(): void {
    scheduler.cancelAll()
    for (const world of [deliveries, otp, payment, shipping]) world.reset()
  }

  function reset(): void {
    clock.reset()
    faults.clear()
    empty()
    snapshot?.touch()
  }

  const snapshot =
    options.dataDir === undefined
      ? undefined
      : createSnapshot({
          path: join(options.dataDir, 'mock-partner.json'),
          take: (): StoredWorld => ({
            version: snapshotVersion,
            aheadMs: clock.aheadMs(),
            otp: otp.snapshot(),
            payment: payment.snapshot(),
            deliveries: deliveries.snapshot(),
            shipping: shipping.snapshot(),
          }),
          onError: (error) => app.log.error(error, 'the world on disk'),
        })
  remember(snapshot?.read(), app.log)

  function remember(stored: unknown, log: FastifyBaseLogger): void {
    if (stored === undefined) return
    try {
      const world = stored as StoredWorld
      if (world.version !== snapshotVersion) throw new Error('written by another version')
      clock.advance(world.aheadMs)
      otp.restore(world.otp)
      payment.restore(world.payment)
      deliveries.restore(world.deliveries)
      shipping.restore(world.shipping)
      payments.resume()
    } catch (error) {
      log.warn(error, 'the world on disk cannot be read; starting with an empty one')
      clock.reset()
      empty()
    }
  }

  const remembersAfter = (scope: FastifyInstance): void => {
    scope.addHook('onResponse', async () => snapshot?.touch())
  }

  app.register(
    async (scope) => {
      remembersAfter(scope)
      plantFaults(scope, 'otp', faults, scheduler)
      await registerOtpRoutes(scope, {
        world: otp,
        account: {
          accountSid: otpAccount.accountSid,
          authToken: otpAccount.authToken,
          serviceSids: [otpAccount.userServiceSid, otpAccount.agentServiceSid],
        },
      })
    },
    { prefix: '/otp' },
  )
  app.register(
    async (scope) => {
      remembersAfter(scope)
      plantFaults(scope, 'payment', faults, scheduler)
      await registerPaymentRoutes(scope, {
        clock,
        world: payment,
        service: payments,
        account: accounts.payment,
      })
    },
    { prefix: '/payment' },
  )
  app.register(
    async (scope) => {
      remembersAfter(scope)
      await registerWidgetRoutes(scope, {
        world: payment,
        service: payments,
        publicKey: accounts.payment.publicKey,
      })
    },
    { prefix: '/payment/widget' },
  )
  app.register(
    async (scope) => {
      remembersAfter(scope)
      plantFaults(scope, 'shipping', faults, scheduler)
      await registerShippingRoutes(scope, { world: shipping, apiKey: accounts.shipping.apiKey })
    },
    { prefix: '/shipping' },
  )
  app.register(
    async (scope) => {
      scope.addHook('onResponse', async (request) => {
        if (request.method !== 'GET') snapshot?.touch()
      })
      await registerControlRoutes(scope, {
        clock,
        scheduler,
        faults,
        deliveries,
        otp,
        payment,
        payments,
        shipping,
        reset,
      })
    },
    { prefix: '/control' },
  )
  app.register(registerPanelRoutes)

  app.addHook('onClose', async () => {
    scheduler.cancelAll()
    await deliveries.close()
    await snapshot?.close()
  })

  return { app, clock, scheduler, faults, deliveries, otp, payment, payments, shipping, reset }
}
