import { once } from 'node:events'
import type { Core } from '#server/core.ts'
import { readFreshOrder } from '#server/features/order-views/order-views.ts'
import { createOrder as createOrderWithin } from '#server/features/orders/order-creation.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { receiveCallback } from '#server/features/payments/callbacks.ts'
import { openPayment } from '#server/features/payments/intentions.ts'
import { listPaymentEvents } from '#server/features/payments/payment-events.queries.ts'
import {
  type CallbackReading,
  type IntentionRequest,
  type PaymentProvider,
  ProviderRefusal,
} from '#server/features/payments/payments.provider.ts'
import type { PaymentReport } from '#server/features/payments/payments.rules.ts'
import { refundPayment, writeOffRefund } from '#server/features/payments/refunds.queries.ts'
import { type ShipmentProvider, ShipmentRefusal } from '#server/features/shipments/shipments.provider.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import type { StartSpan } from '#server/platform/spans.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import type { WorkerName } from '#server/platform/worker-names.ts'
import { priceOf } from '#shared/checkout/checkout.rules.ts'
import type { CancellationTerms } from '#shared/orders/cancellation.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { BookingType, Order, OrderStatus } from '#shared/orders/orders.schemas.ts'
import type { EventKind } from '#shared/payments/payments.schemas.ts'
import { type ManualClock, manualClock, second } from '../basics/clock.ts'
import { createRandom } from '../basics/random.ts'
import { openMemory } from '../database/memory-database.ts'
import { openCore } from '../gateway/core.ts'
import { messagesIn } from './messages.ts'
import { manyOrders } from './orders.ts'

/**
 * How a call of an external service fails: refused; cut off before the work or after it. `silent`: no answer until the
 * caller's signal aborts.
 */
type Trouble = 'refused' | 'cut-before' | 'cut-after' | 'silent'

/** How long the partner's look-up may lag behind its shipments. */
const longestLagMs = 40_000

export interface Charge {
  readonly id: number
  readonly providerOrderId: number
  readonly amountHalalas: number
  readonly isApproved: boolean
  readonly currency: string
  refundedHalalas: number
}

interface Intention {
  readonly providerOrderId: number
  readonly request: IntentionRequest
  readonly clientSecret: string
  readonly charges: Charge[]
}

/** A payment provider in memory. */
export interface ProviderDouble extends PaymentProvider {
  readonly intentions: readonly Intention[]
  /** Inquiries so far: the provider's order number or the reference asked about. */
  readonly inquiries: readonly (number | string)[]
  /** Refunds requested so far, executed or not. */
  readonly refundsAsked: readonly string[]
  intentionOf(clientSecret: string): Intention
  charge(intention: Intention, isApproved: boolean, amountHalalas?: number, currency?: string): Charge
  /** Refunds the charge or a part of it, as an operator can do at the provider. */
  reverse(charge: Charge, amountHalalas?: number): void
  /** The content of a callback about the charge now or, with `kind`, in an earlier state. */
  report(charge: Charge, kind?: EventKind): PaymentReport
  /** Makes the next calls of this kind fail, each with one of `troubles`, in order. */
  fail(call: 'create' | 'inquire' | 'read' | 'refund', ...troubles: Trouble[]): void
}

/**
 * A shipping partner in memory, without idempotency: every executed `create` makes another shipment. Its look-up lags by
 * up to 40 s.
 */
interface PartnerDouble extends ShipmentProvider {
  readonly shipments: readonly { readonly reference: string; readonly awb: string }[]
  fail(call: 'create' | 'find' | 'label', ...troubles: Trouble[]): void
}

function createTroubles<C extends string>() {
  const ahead = new Map<C, Trouble[]>()
  return {
    fail: (call: C, ...next: Trouble[]) => void ahead.set(call, [...(ahead.get(call) ?? []), ...next]),
    /** Runs `work`, with the next failure that `fail` has set for this kind of call. */
    async meet<T>(call: C, refusal: () => Error, work: () => T, signal?: AbortSignal): Promise<T> {
      const trouble = ahead.get(call)?.shift()
      if (trouble === 'silent' && signal?.aborted === false) await once(signal, 'abort')
      if (trouble === 'refused') throw refusal()
      if (trouble === 'cut-before') throw new OutcomeUnknownError(call)
      const result = work()
      if (trouble === undefined) return result
      throw new OutcomeUnknownError(call)
    },
  }
}

export function createProviderDouble(): ProviderDouble {
  const intentions: Intention[] = []
  const inquiries: (number | string)[] = []
  const refundsAsked: string[] = []
  const { fail, meet } = createTroubles<'create' | 'inquire' | 'read' | 'refund'>()
  let lastId = 1_000

  const refusal = () => new ProviderRefusal('a double', 400, {})

  const nextId = () => {
    lastId += 1
    return lastId
  }

  const kindOf = (charge: Charge): EventKind => {
    if (charge.refundedHalalas > 0) return 'refunded'
    return charge.isApproved ? 'succeeded' : 'failed'
  }

  function intentionAt(providerOrderId: number): Intention {
    const found = intentions.find((each) => each.providerOrderId === providerOrderId)
    if (!found) throw new Error(`no intention ${providerOrderId}`)
    return found
  }

  function report(charge: Charge, kind: EventKind = kindOf(charge)): PaymentReport {
    const { request, charges } = intentionAt(charge.providerOrderId)
    return {
      transactionId: String(charge.id),
      kind,
      isChild: false,
      providerOrderId: charge.providerOrderId,
      merchantReference: request.reference,
      amountHalalas: charge.amountHalalas,
      currency: charge.currency,
      orderPaidHalalas: charges
        .filter(({ isApproved }) => isApproved)
        .reduce((sum, { amountHalalas }) => sum + amountHalalas, 0),
      refundedHalalas: charge.refundedHalalas,
      raw: {},
      dropped: [],
    }
  }

  const chargeAt = (transactionId: string) =>
    intentions.flatMap(({ charges }) => charges).find(({ id }) => String(id) === transactionId)

  return {
    intentions,
    inquiries,
    refundsAsked,
    intentionOf(clientSecret) {
      const found = intentions.find((each) => each.clientSecret === clientSecret)
      if (!found) throw new Error('no intention has this secret')
      return found
    },
    charge(
      intention,
      isApproved,
      amountHalalas = intention.request.amountHalalas,
      currency = intention.request.currency,
    ) {
      const { providerOrderId } = intention
      const charge = {
        id: nextId(),
        providerOrderId,
        amountHalalas,
        isApproved,
        currency,
        refundedHalalas: 0,
      }
      intention.charges.push(charge)
      return charge
    },
    reverse(charge, amountHalalas = charge.amountHalalas - charge.refundedHalalas) {
      charge.refundedHalalas += amountHalalas
    },
    report,
    fail,

    createIntention: (request, signal) => {
      const work = () => {
        const providerOrderId = nextId()
        const clientSecret = `secret-${providerOrderId}`
        intentions.push({ providerOrderId, request, clientSecret, charges: [] })
        return { intentionId: `pi_${providerOrderId}`, providerOrderId, clientSecret }
      }
      return meet('create', refusal, work, signal)
    },
    inquire: (asked, signal) => {
      const work = () => {
        const key = 'reference' in asked ? asked.reference : asked.providerOrderId
        inquiries.push(key)
        const intention = intentions.find(
          ({ providerOrderId, request }) => providerOrderId === key || request.reference === key,
        )
        const newest = intention?.charges.at(-1)
        return newest && report(newest)
      }
      return meet('inquire', refusal, work, signal)
    },
    readTransaction: (transactionId) =>
      meet('read', refusal, () => {
        const charge = chargeAt(transactionId)
        return charge && report(charge)
      }),
    refund: (transactionId, amountHalalas) => {
      refundsAsked.push(transactionId)
      return meet('refund', refusal, () => {
        const charge = chargeAt(transactionId)
        if (!charge?.isApproved || amountHalalas > charge.amountHalalas - charge.refundedHalalas)
          throw new ProviderRefusal('refund', 400, { message: 'exceeds the refundable amount' })
        charge.refundedHalalas += amountHalalas
      })
    },
    // Without signatures, which the tests of payments.provider.* cover: here a report is a callback.
    readCallback: (body) =>
      ({ outcome: 'report', secret: 'current', report: body, otherOrderIds: [] }) as CallbackReading,
  }
}

function createPartnerDouble(clock: Clock): PartnerDouble {
  const shipments: { reference: string; awb: string; visibleAt: number }[] = []
  const lag = createRandom(longestLagMs)
  const { fail, meet } = createTroubles<'create' | 'find' | 'label'>()
  const outcomeUnknown = () => new OutcomeUnknownError('a double', { status: 503 })
  const pdf = new TextEncoder().encode('%PDF-')
  return {
    shipments,
    fail,
    create: ({ reference }) =>
      meet(
        'create',
        () => new ShipmentRefusal(400, []),
        () => {
          const awb = String(230_000_000_001 + shipments.length)
          shipments.push({ reference, awb, visibleAt: clock.now() + lag.between(0, longestLagMs) })
          return { awb, pdf }
        },
      ),
    findByReference: (reference) =>
      meet('find', outcomeUnknown, () => {
        const found = shipments.find((each) => each.reference === reference && each.visibleAt <= clock.now())
        return found && { awb: found.awb, pdf }
      }),
    fetchLabel: (awb) =>
      meet('label', outcomeUnknown, () => (shipments.some((each) => each.awb === awb) ? pdf : undefined)),
  }
}

interface OpenedOrder {
  readonly orderId: number
  readonly clientSecret: string
  readonly intention: Intention
}
interface ChargedOrder extends OpenedOrder {
  readonly charge: Charge
}

/** Orders, payments and shipments on a real SQLite, with external services in memory and a manual clock. */
export interface PaymentFixture {
  readonly clock: ManualClock
  readonly database: Database
  /** The gateway. Its services of others are these doubles. */
  readonly core: Core
  readonly provider: ProviderDouble
  readonly partner: PartnerDouble
  /** Another gateway on the same data, with a log of its own. */
  openGateway(log: Log): Promise<Core>
  /** Messages by SMS to the owners of orders, in order. */
  listSms(): Promise<
    readonly Pick<Row<'messages'>, 'kind' | 'order_id' | 'booking_id' | 'reported_event_id'>[]
  >
  /** Creates an unpaid order of the only user. */
  createOrder(type?: BookingType): Promise<number>
  /** Creates an order and opens its payment. */
  openOrder(): Promise<OpenedOrder>
  /** As `openOrder`, and the provider has charged the card, the whole amount by default. It has reported nothing. */
  openCharged(amountHalalas?: number): Promise<ChargedOrder>
  /** As `openCharged`, and the payment is reported. */
  openPaid(): Promise<ChargedOrder>
  /** Kind and outcome of each stored event of a charge. */
  eventsOf(charge: Charge): Promise<string[]>
  /** The state of an order. */
  statusOf(orderId: number): Promise<OrderStatus | undefined>
  /** As `GET /api/orders/:id` reads it. */
  readOrder(principal: Principal, key: string): Promise<Order>
  /** Each of these runs a worker until nothing is due. */
  sweep(): Promise<void>
  expire(): Promise<void>
  refund(): Promise<void>
  ship(): Promise<void>
  /** Advances the clock in steps and runs the refund worker after each. */
  refundFor(ms: number, everyMs?: number): Promise<void>
  /** An operator orders the refund of this charge, or of a part of it. */
  orderRefund(charge: Charge, amount?: number): Promise<boolean>
  /** The provider refused the refund of this charge, and staff close it. */
  writeOff(charge: Charge): Promise<void>
  close(): Promise<void>
}

const user = { id: 1, name: 'Maryam', phone: '+966550000001' }
const agent = {
  id: 'A1',
  name: 'Agent A1',
  address: 'Mina',
  city: 'Makkah',
  phone: '+966500000101',
  coordinates: null,
}
const center = { code: 'RUH1', addressAR: 'الرياض', addressEN: 'Riyadh', city: 'Riyadh', coordinates: null }
const system = { by: { kind: 'system' } } as const

export async function openPaymentFixture({
  cancellation = { isOffered: true, hours: 0 },
}: {
  readonly cancellation?: CancellationTerms
} = {}): Promise<PaymentFixture> {
  const clock = manualClock()
  const database = await openMemory(clock)
  await database.tables
    .insertInto('users')
    .values({ ...user, created_at: clock.now() })
    .execute()
  const provider = createProviderDouble()
  const partner = createPartnerDouble(clock)
  const openGateway = (log?: Log) =>
    openCore(
      { database, clock },
      {
        config: {
          CANCELLATION: cancellation,
          PAYMENT_PUBLIC_KEY: 'public',
          ...manyOrders,
        },
        providers: { payments: provider, shipments: partner },
        ...(log && { log }),
      },
    )
  const core = await openGateway()

  let jobs = 0
  const countJob: StartSpan = () => {
    jobs += 1
    return { context: { traceId: '', spanId: '', traceFlags: 0 }, end: () => undefined }
  }

  /** A stopped worker finishes its jobs, and claims no other ones. */
  async function run(name: WorkerName): Promise<void> {
    let before: number
    do {
      before = jobs
      core.workers.get(name)?.start(countJob)
      await core.workers.get(name)?.stop()
    } while (jobs > before)
  }

  async function createOrder(type: BookingType = 'FROM_MINA'): Promise<number> {
    const request = { userId: user.id, type, agent, center, amountHalalas: priceOf(type).totalHalalas }
    return (await database.transaction(() => createOrderWithin(core, request, undefined))).orderId
  }

  async function openOrder(): Promise<OpenedOrder> {
    const orderId = await createOrder()
    const { clientSecret } = await openPayment(core, orderId)
    return { orderId, clientSecret, intention: provider.intentionOf(clientSecret) }
  }
  async function openCharged(amountHalalas?: number): Promise<ChargedOrder> {
    const order = await openOrder()
    return { ...order, charge: provider.charge(order.intention, true, amountHalalas) }
  }

  return {
    clock,
    database,
    core,
    provider,
    partner,
    openGateway,
    listSms: async () => (await messagesIn(database)).filter(({ channel }) => channel === 'sms'),
    async statusOf(orderId) {
      const order = await findPayable(core, orderId)
      return order && statusOf(order)
    },
    readOrder: (principal, key) => readFreshOrder(core, principal, key),
    createOrder,
    openOrder,
    openCharged,
    async openPaid() {
      const order = await openCharged()
      await receiveCallback(core, provider.report(order.charge), 'signed')
      return order
    },
    async eventsOf({ id }) {
      const events = await listPaymentEvents(core, String(id))
      return events.map(({ kind, outcome }) => `${kind} ${outcome}`)
    },
    sweep: () => run('inquiries'),
    async expire() {
      core.workers.get('expiry')?.start()
      await core.workers.get('expiry')?.stop()
    },
    refund: () => run('refunds'),
    ship: () => run('shipments'),
    orderRefund: ({ id }, amount) =>
      database.transaction(() =>
        refundPayment(core, String(id), { ...system, reason: 'operator', amount }, clock.now()),
      ),
    async writeOff({ id }) {
      const now = clock.now()
      await database.tables.updateTable('refunds').set({ refused_at: now }).execute()
      if (!(await database.transaction(() => writeOffRefund(core, String(id), system, now))))
        throw new Error(`no refund of ${id} is open`)
    },
    async refundFor(ms, everyMs = second) {
      for (let passed = 0; passed < ms; passed += everyMs) {
        clock.advance(everyMs)
        await run('refunds')
      }
    },
    close: () => database.close(),
  }
}
