import { createOrders, type OrdersService } from '#server/features/orders/orders.service.ts'
import { createOrdersStore, type OrdersStore } from '#server/features/orders/orders.store.ts'
import {
  type CallbackReading,
  type IntentionRequest,
  type PaymentGateway,
  ProviderRefusal,
} from '#server/features/payments/payments.gateway.ts'
import type { EventKind, PaymentReport } from '#server/features/payments/payments.rules.ts'
import { createPayments, type PaymentsService } from '#server/features/payments/payments.service.ts'
import { createPaymentsStore, type PaymentsStore } from '#server/features/payments/payments.store.ts'
import { createInquiryWorker, createRefundWorker } from '#server/features/payments/payments.worker.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { ShipmentDoubt, type ShipmentGateway } from '#server/features/shipments/shipments.gateway.ts'
import { patience } from '#server/features/shipments/shipments.rules.ts'
import { createShipmentWorker } from '#server/features/shipments/shipments.worker.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import type { Worker } from '#server/platform/worker.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { type ManualClock, manualClock } from './clock.ts'
import { openMemory } from './databases.ts'
import { silentLog } from './room-app.ts'

/**
 * How a call of an outsider goes wrong: by a definite no, before it has done anything, after it has done all, or while
 * it is still at it, so that it does it later.
 */
export type Trouble = 'refused' | 'cut-before' | 'cut-after' | 'cut-meanwhile'

export interface Charge {
  readonly id: number
  readonly providerOrderId: number
  readonly amountHalalas: number
  readonly isApproved: boolean
  refundedHalalas: number
}

interface Intention {
  readonly providerOrderId: number
  readonly request: IntentionRequest
  readonly clientSecret: string
  readonly charges: Charge[]
}

/** A payment provider in memory, which does what it is told and remembers the truth. */
export interface ProviderDouble extends PaymentGateway {
  readonly intentions: readonly Intention[]
  /** Questions asked so far, with the number of the order or the reference asked about. */
  readonly inquiries: readonly (number | string)[]
  /** What the questions were answered; a lost answer is none. */
  readonly answers: readonly PaymentReport[]
  /** Refunds asked for so far, carried out or not. */
  readonly refundsAsked: readonly string[]
  intentionOf(clientSecret: string): Intention
  charge(intention: Intention, isApproved: boolean, amountHalalas?: number): Charge
  /** Gives the charge back, or a part of it, as the merchant's own people could do at the provider. */
  reverse(charge: Charge, amountHalalas?: number): void
  /** What a callback about the charge says now, or would have said before it was given back. */
  report(charge: Charge, kind?: EventKind): PaymentReport
  /** The next calls of this kind fail like this, one each. */
  fail(call: 'create' | 'inquire' | 'read' | 'refund', ...troubles: Trouble[]): void
  /** Whatever was going to fail works. */
  recover(): void
}

/** A shipping partner in memory. It has no idempotency: every `create` that is carried out makes another shipment. */
export interface PartnerDouble extends ShipmentGateway {
  /** Made so far; what it is still at comes when the clock has moved on. */
  readonly shipments: readonly { readonly reference: string; readonly awb: string }[]
  /** How often it was made to begin a shipment of this reference, carried out or still under way. */
  begun(reference: string): number
  fail(call: 'create' | 'find' | 'label', ...troubles: Trouble[]): void
  recover(): void
}

/** @param later does the work when the caller has long gone. */
function createTroubles<C extends string>(later: (work: () => unknown) => void) {
  const ahead = new Map<C, Trouble[]>()
  return {
    fail: (call: C, ...next: Trouble[]) => void ahead.set(call, [...(ahead.get(call) ?? []), ...next]),
    recover: () => ahead.clear(),
    /** Runs `work` as the next trouble of this kind has it. */
    async meet<T>(call: C, refusal: () => Error, work: () => T): Promise<T> {
      const trouble = ahead.get(call)?.shift()
      if (trouble === 'refused') throw refusal()
      if (trouble === 'cut-before') throw new Unreachable(call, true)
      if (trouble === 'cut-meanwhile') later(work)
      const result = trouble === 'cut-meanwhile' ? undefined : work()
      if (trouble === undefined) return result as T
      throw new Unreachable(call, true)
    },
  }
}

export function createProviderDouble(): ProviderDouble {
  const intentions: Intention[] = []
  const inquiries: (number | string)[] = []
  const answers: PaymentReport[] = []
  const refundsAsked: string[] = []
  const { fail, recover, meet } = createTroubles<'create' | 'inquire' | 'read' | 'refund'>(
    (work) => void work(),
  )
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
      providerOrderId: charge.providerOrderId,
      merchantReference: request.reference,
      amountHalalas: charge.amountHalalas,
      currency: request.currency,
      orderPaidHalalas: charges
        .filter(({ isApproved }) => isApproved)
        .reduce((sum, { amountHalalas }) => sum + amountHalalas, 0),
      refundedHalalas: charge.refundedHalalas,
      raw: {},
    }
  }

  const chargeAt = (transactionId: string) =>
    intentions.flatMap(({ charges }) => charges).find(({ id }) => String(id) === transactionId)

  return {
    intentions,
    inquiries,
    answers,
    refundsAsked,
    intentionOf(clientSecret) {
      const found = intentions.find((each) => each.clientSecret === clientSecret)
      if (!found) throw new Error('no intention has this secret')
      return found
    },
    charge(intention, isApproved, amountHalalas = intention.request.amountHalalas) {
      const { providerOrderId } = intention
      const charge = { id: nextId(), providerOrderId, amountHalalas, isApproved, refundedHalalas: 0 }
      intention.charges.push(charge)
      return charge
    },
    reverse(charge, amountHalalas = charge.amountHalalas - charge.refundedHalalas) {
      charge.refundedHalalas += amountHalalas
    },
    report,
    fail,
    recover,

    createIntention: (request) =>
      meet('create', refusal, () => {
        const providerOrderId = nextId()
        const clientSecret = `secret-${providerOrderId}`
        intentions.push({ providerOrderId, request, clientSecret, charges: [] })
        return { intentionId: `pi_${providerOrderId}`, providerOrderId, clientSecret }
      }),
    inquire: async (asked) => {
      const answer = await meet('inquire', refusal, () => {
        const key = 'reference' in asked ? asked.reference : asked.providerOrderId
        inquiries.push(key)
        const intention = intentions.find(
          ({ providerOrderId, request }) => providerOrderId === key || request.reference === key,
        )
        const newest = intention?.charges.at(-1)
        return newest && report(newest)
      })
      if (answer) answers.push(answer)
      return answer
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
    // Signatures are the matter of the gateway's own contract: here a report is a callback.
    readCallback: (body) => ({ outcome: 'report', report: body }) as CallbackReading,
  }
}

export function createPartnerDouble(clock: Clock): PartnerDouble {
  const made: { reference: string; awb: string }[] = []
  const underWay: { doneAt: number; work: () => unknown }[] = []
  const begun: string[] = []
  const { fail, recover, meet } = createTroubles<'create' | 'find' | 'label'>((work) => {
    underWay.push({ doneAt: clock.now() + patience.createMs, work })
  })
  /** What has been made by now. */
  function shipments() {
    for (const job of underWay.filter(({ doneAt }) => doneAt <= clock.now())) {
      underWay.splice(underWay.indexOf(job), 1)
      job.work()
    }
    return made
  }
  const doubt = () => new ShipmentDoubt('a double', 503)
  const pdf = new TextEncoder().encode('%PDF-')
  const billOf = ({ awb }: { awb: string }) => ({ awb, pdf })
  return {
    get shipments() {
      return shipments()
    },
    fail,
    recover,
    begun: (reference) => begun.filter((each) => each === reference).length,
    create({ reference }) {
      begun.push(reference)
      return meet('create', doubt, () => {
        const shipment = { reference, awb: String(230_000_000_001 + made.length) }
        made.push(shipment)
        return billOf(shipment)
      })
    },
    findByReference: (reference) =>
      meet('find', doubt, () => {
        const found = shipments().find((each) => each.reference === reference)
        return found && billOf(found)
      }),
    fetchLabel: (awb) =>
      meet('label', doubt, () => (shipments().some((each) => each.awb === awb) ? pdf : undefined)),
  }
}

/** Orders and money on a real SQLite, between hand-written outsiders and on a clock that the test moves. */
export interface MoneyRoom {
  readonly clock: ManualClock
  readonly database: Database
  readonly orders: OrdersService
  readonly payments: PaymentsService
  readonly provider: ProviderDouble
  readonly partner: PartnerDouble
  readonly ordersStore: OrdersStore
  readonly paymentsStore: PaymentsStore
  /** An unpaid order of the one pilgrim there is. */
  place(type?: BookingType): Promise<number>
  /** Each does everything that is due at this moment and comes back when nothing is left. */
  sweep(): Promise<void>
  giveBack(): Promise<void>
  ship(): Promise<void>
  close(): Promise<void>
}

const pilgrim = { id: 1, name: 'Maryam', phone: '+966550000001' }
const agent = {
  id: 'A1',
  name: 'Agent A1',
  address: 'Mina',
  city: 'Makkah',
  phone: '+966500000101',
  coordinates: null,
}
const center = { code: 'RUH1', addressAR: 'الرياض', addressEN: 'Riyadh', city: 'Riyadh', coordinates: null }
const price = { FROM_MINA: 5_000, TO_MINA: 5_000, TO_AND_FROM_MINA: 10_000 } as const

export async function openMoneyRoom(): Promise<MoneyRoom> {
  const clock = manualClock()
  const database = await openMemory()
  await database
    .tables<{ users: { id: number; phone: string; name: string; created_at: number } }>()
    .insertInto('users')
    .values({ ...pilgrim, created_at: clock.now() })
    .execute()

  let taken = 0
  /** Notes that a worker was given something to do. */
  const noted =
    <A extends unknown[], T>(claim: (...args: A) => Promise<T | undefined>) =>
    async (...args: A) => {
      const job = await claim(...args)
      if (job !== undefined) taken += 1
      return job
    }
  const sessions = createSessionsStore(database)
  const findUser = async (id: number) => (await sessions.findUsers([id]))[0]
  const ordersStore = createOrdersStore(database)
  const store = createPaymentsStore(database)
  const paymentsStore: PaymentsStore = {
    ...store,
    claimDueInquiry: noted(store.claimDueInquiry),
    claimDueRefund: noted(store.claimDueRefund),
  }
  const metrics = createMetrics()
  const log = silentLog
  const orders = createOrders({
    database,
    store: { ...ordersStore, leaseBooking: noted(ordersStore.leaseBooking) },
    findUsers: async (ids) => new Map((await sessions.findUsers(ids)).map((user) => [user.id, user])),
    holdUser: sessions.holdUser,
    clock,
  })
  const provider = createProviderDouble()
  const partner = createPartnerDouble(clock)
  const payments = createPayments({
    database,
    store: paymentsStore,
    gateway: provider,
    orders,
    findUser,
    holdUser: sessions.holdUser,
    onPaid: () => undefined,
    publicKey: 'public',
    clock,
    log,
    metrics,
  })
  const deps = {
    store: paymentsStore,
    gateway: provider,
    orders,
    reconcile: payments.reconcile,
    clock,
    log,
  }
  const workers = {
    inquiries: createInquiryWorker(deps),
    refunds: createRefundWorker(deps),
    shipments: createShipmentWorker({
      orders,
      gateway: partner,
      findUser,
      clock,
      log,
      metrics,
    }),
  }

  /** A worker that is stopped finishes what it has taken, and takes nothing more. */
  async function run(worker: Worker): Promise<void> {
    let before: number
    do {
      before = taken
      worker.start()
      await worker.stop()
    } while (taken > before)
  }

  return {
    clock,
    database,
    orders,
    payments,
    provider,
    partner,
    ordersStore,
    paymentsStore,
    async place(type = 'FROM_MINA') {
      const { orderId } = await orders.place(
        { userId: pilgrim.id, type, agent, center, amountHalalas: price[type] },
        undefined,
      )
      return orderId
    },
    sweep: () => run(workers.inquiries),
    giveBack: () => run(workers.refunds),
    ship: () => run(workers.shipments),
    close: () => database.close(),
  }
}
