import { setTimeout as pause } from 'node:timers/promises'
import type { OrdersService, PayableOrder } from '#server/features/orders/orders.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { randomSuffix } from '#server/platform/secrets.ts'
import type { Caller } from '#server/platform/session-scope.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import type { OpenedPayment } from '#shared/checkout/checkout.schemas.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import type { Order, OrderStatus } from '#shared/orders/orders.schemas.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import type { KeptPayment } from '#shared/payments/payments.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import type { PaymentGateway } from './payments.gateway.ts'
import {
  attemptRules,
  attemptStates,
  type EventOutcome,
  isExactAmount,
  isPartialRefund,
  openVerdicts,
  type PaymentReport,
  type RefundReason,
  refundStates,
} from './payments.rules.ts'
import type { AttemptRow, EventRow, PaymentsStore, RefundRow } from './payments.store.ts'

export interface PaymentsDeps {
  readonly database: Database
  readonly store: PaymentsStore
  readonly gateway: PaymentGateway
  readonly orders: OrdersService
  readonly findUser: (id: number) => Promise<User | undefined>
  /** A user who cannot be deleted before the transaction around it ends; undefined when there is none. */
  readonly holdUser: (id: number) => Promise<User | undefined>
  /** Called after an order was paid and that is durable. */
  readonly onPaid: () => void
  readonly publicKey: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

export interface PaymentsService {
  /**
   * The payment of an unpaid order: the open attempt while it is young, else a new one.
   * @throws Failure ORDER_NOT_PAYABLE, PAYMENT_UNAVAILABLE (the order stays).
   */
  open(orderId: number): Promise<OpenedPayment>
  /**
   * What `open` answered for the order before: an order that was paid meanwhile still has its last secret, which
   * opens nothing any more but shows the browser the way to its result. @throws as `open`, also for an order that
   * expired or went back.
   */
  repeat(orderId: number): Promise<OpenedPayment>
  /** `open` for the order's owner. @throws also ORDER_NOT_FOUND. */
  renew(userId: number, orderId: number): Promise<OpenedPayment>
  /**
   * An order by its number or a merchant reference. When it is unpaid and a payment is open, the provider is asked
   * first, because its callback may be late or lost (R13). @throws Failure ORDER_NOT_FOUND.
   */
  readOrder(caller: Caller, key: string): Promise<Order>
  /**
   * Takes a callback. Resolves only when what it said is durable or of no concern.
   * @throws Failure CALLBACK_REFUSED for a bad signature or body; anything else when it could not be stored.
   */
  receive(body: unknown, signature: string | undefined): Promise<void>
  /** True while money of one of the orders has to go back. */
  hasUnsettled(orderIds: readonly number[]): Promise<boolean>
  /** Takes from the orders' payments what opens something; the record of the money stays. */
  forgetOrders(orderIds: readonly number[]): Promise<void>
  /** What is kept of the payments of the orders, by order. */
  listKept(orderIds: readonly number[]): Promise<ReadonlyMap<number, KeptPayment[]>>
  /** `reconcile` for the sweep: asks about one attempt; answers whether the provider counts money on it. */
  reconcile(attempt: AttemptRow): Promise<boolean>
}

function countOf<S>(counts: readonly { state: S; count: number }[], state: S): number {
  return Number(counts.find((row) => row.state === state)?.count ?? 0)
}

/** How long a second caller waits for the one who is talking to the provider. */
const patienceMs = 15_000
const lookAgainMs = 50

export function createPayments(deps: PaymentsDeps): PaymentsService {
  const { database, store, gateway, orders, clock, log } = deps
  for (const state of attemptStates)
    deps.metrics.gauge(`payment_attempts_${state}`, `Payment attempts that are ${state}.`, async () =>
      countOf(await store.countAttempts(), state),
    )
  for (const state of refundStates)
    deps.metrics.gauge(`refunds_${state}`, `Refunds that are ${state}.`, async () =>
      countOf(await store.countRefunds(), state),
    )
  const callbacks = deps.metrics.counter('payment_callbacks_total', 'Callbacks by what became of them.', [
    'outcome',
  ])
  const intentions = deps.metrics.counter('payment_intentions_total', 'Intentions by outcome.', ['outcome'])

  async function open(orderId: number): Promise<OpenedPayment> {
    const order = await orders.findPayable(orderId)
    if (order?.status !== 'PENDING_PAYMENT') throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
    const deadline = clock.now() + patienceMs
    for (;;) {
      const live = await store.findLiveAttempt(order.id)
      if (live?.state === 'open' && live.client_secret && clock.now() < live.secret_until)
        return { orderId, clientSecret: live.client_secret, publicKey: deps.publicKey }
      if (live?.state === 'creating' && clock.now() - live.created_at < attemptRules.creatingMs) {
        // Somebody else, perhaps on another gateway, is at it: their answer is ours.
        if (clock.now() >= deadline) throw unavailable()
        await pause(lookAgainMs)
        continue
      }
      // A lost callback would make the next payment a second one: the provider is asked before a secret is replaced.
      if (live?.state === 'open') {
        await reconcile(live).catch((error: unknown) =>
          log.warn({ event: 'payments.inquiry-failed', orderId, err: error }),
        )
        if ((await orders.findPayable(orderId))?.status !== 'PENDING_PAYMENT')
          throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
      }
      // R3: what is left of an attempt that died or timed out is an intention whose secret nobody has seen. Only what
      // is still as it was judged is given up: a slow process may have got its answer, and shown it, meanwhile.
      if (live && !(await store.moveAttempt(live.id, [live.state], 'superseded'))) continue
      const attempt = await startAttempt(order)
      if (attempt) return createIntention(order, attempt)
    }
  }

  const startAttempt = (order: PayableOrder) =>
    database.transaction(async () => {
      // Held, so that no payment begins for an account that is being deleted.
      if (!(await deps.holdUser(order.userId))) throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
      return store.startAttempt({
        order_id: order.id,
        reference: `OD${order.id}-${clock.now().toString(36).toUpperCase()}-${randomSuffix()}`,
        amount_halalas: order.amountHalalas,
        currency: order.currency,
        created_at: clock.now(),
      })
    })

  async function createIntention(order: PayableOrder, attempt: AttemptRow): Promise<OpenedPayment> {
    const user = await deps.findUser(order.userId)
    try {
      const opened = await gateway.createIntention({
        reference: attempt.reference,
        orderId: order.id,
        amountHalalas: attempt.amount_halalas,
        currency: attempt.currency,
        lifeSeconds: attemptRules.secretLifeMs / 1000,
        customer: { name: user?.name ?? '', phone: user?.phone ?? '' },
      })
      const isOurs = await store.openAttempt(attempt.id, {
        ...opened,
        secretUntil: attempt.created_at + attemptRules.reuseMs,
      })
      // Given up meanwhile by somebody who thought this process dead: the secret must not be shown twice.
      if (!isOurs) throw unavailable()
      intentions.inc({ outcome: 'opened' })
      return { orderId: order.id, clientSecret: opened.clientSecret, publicKey: deps.publicKey }
    } catch (error) {
      const isDoubtful = error instanceof Unreachable && error.doubtful
      await store.moveAttempt(attempt.id, ['creating'], isDoubtful ? 'unknown' : 'failed')
      intentions.inc({ outcome: isDoubtful ? 'unknown' : 'failed' })
      log.error({ event: 'payments.intention-failed', orderId: order.id, err: error })
      throw unavailable(error)
    }
  }

  const unavailable = (cause?: unknown) =>
    failure(paymentsErrors, 'PAYMENT_UNAVAILABLE', { retryAfterSeconds: 5, cause })

  /**
   * The one path of money, for callbacks and inquiries alike: the event and what it changes are kept together or
   * not at all, and the same event changes something at most once.
   */
  async function apply(
    report: PaymentReport,
    source: 'callback' | 'inquiry',
  ): Promise<EventOutcome | 'repeated'> {
    const attempt = await store.findByProviderOrder(report.providerOrderId)
    const outcome = await database.transaction(async () => {
      // The payment and the refund of one transaction may arrive together: one of them must see the other.
      if (attempt) await store.lockAttempt(attempt.id)
      const verdict = judge(report, attempt)
      const isNew = await store.addEvent({
        transaction_id: report.transactionId,
        kind: report.kind,
        attempt_id: attempt?.id ?? null,
        source,
        outcome: verdict,
        amount_halalas: report.amountHalalas,
        currency: report.currency,
        body: JSON.stringify(report.raw),
        received_at: clock.now(),
      })
      if (!isNew) return 'repeated'
      if (verdict !== 'applied' || !attempt) return verdict
      // The refund of a second payment ends with the provider's own word for it.
      if (report.kind === 'refunded' || report.kind === 'voided')
        await store.finishRefund(report.transactionId, clock.now())
      const done = await carryOut(report, attempt)
      if (done !== verdict) await store.setOutcome(report.transactionId, report.kind, done)
      return done
    })
    if (outcome === 'applied' && report.kind === 'succeeded') deps.onPaid()
    const line = {
      event: 'payments.reported',
      source,
      outcome,
      kind: report.kind,
      transactionId: report.transactionId,
    }
    if (outcome === 'applied' || outcome === 'noted' || outcome === 'repeated')
      log.info({ ...line, orderId: attempt?.order_id })
    else log.error({ ...line, orderId: attempt?.order_id, amountHalalas: report.amountHalalas })
    return outcome
  }

  function judge(report: PaymentReport, attempt: AttemptRow | undefined): EventOutcome {
    if (!attempt) return 'unknown-order'
    if (report.merchantReference !== null && report.merchantReference !== attempt.reference)
      return 'reference-mismatch'
    if (report.kind === 'pending' || report.kind === 'failed' || report.kind === 'captured') return 'noted'
    if (report.kind === 'succeeded' && !isExactAmount(report, attempt.amount_halalas))
      return 'amount-mismatch'
    if (isPartialRefund(report)) return 'partial-refund'
    return 'applied'
  }

  async function carryOut(report: PaymentReport, attempt: AttemptRow): Promise<EventOutcome> {
    if (report.kind !== 'succeeded')
      return (await orders.markRefunded(attempt.order_id, report.transactionId)) ? 'applied' : 'noted'
    await store.moveAttempt(attempt.id, ['open', 'unknown', 'superseded'], 'succeeded')
    // What was put aside has no say: otherwise the order of arrival would decide.
    const isReversed = (await store.listEvents(report.transactionId)).some(
      ({ kind, outcome }) => (kind === 'refunded' || kind === 'voided') && !openVerdicts.includes(outcome),
    )
    const giveBack = (reason: RefundReason) =>
      store.addRefund(
        {
          transaction_id: report.transactionId,
          attempt_id: attempt.id,
          amount_halalas: report.amountHalalas,
          reason,
        },
        clock.now(),
      )
    // Nobody is left to collect a bag or to be told of it: the order stays as it ended, the money goes back.
    const order = await orders.findPayable(attempt.order_id)
    if (!order || !(await deps.holdUser(order.userId))) {
      if (!isReversed) await giveBack('owner-deleted')
      return 'owner-deleted'
    }
    if (await orders.markPaid(attempt.order_id, report.transactionId)) {
      // The news of the refund overtook the news of the payment: the bookings must not start.
      if (isReversed) await orders.markRefunded(attempt.order_id, report.transactionId)
      return 'applied'
    }
    // R18: the first payment stands, this one goes back, unless it has gone back already.
    if (!isReversed) await giveBack('second-payment')
    return 'second-payment'
  }

  /**
   * Asks the provider about one attempt and applies the answer. Answers whether the provider counts money on it.
   * @throws what the gateway throws.
   */
  async function reconcile(attempt: AttemptRow): Promise<boolean> {
    const report = await gateway.inquire(
      attempt.provider_order_id === null
        ? { reference: attempt.reference }
        : { providerOrderId: attempt.provider_order_id },
    )
    if (!report) return false
    if (attempt.provider_order_id === null) await store.adoptProviderOrder(attempt.id, report.providerOrderId)
    const outcome = await apply(report, 'inquiry')
    const isPaid = report.kind === 'succeeded' || (report.orderPaidHalalas ?? 0) > 0
    // Only the newest transaction is shown: a failed one may hide an earlier success.
    if (isPaid && report.kind === 'failed')
      log.error({ event: 'payments.hidden-success', orderId: attempt.order_id, outcome })
    return isPaid
  }

  async function inquire(orderId: number): Promise<void> {
    for (const attempt of await store.listOpened(orderId)) {
      if (!(await store.claimInquiry(attempt.id, clock.now(), attemptRules.inquiryGapMs))) continue
      try {
        await reconcile(attempt)
      } catch (error) {
        // The page shows the order as it stands; the next look asks again.
        log.warn({ event: 'payments.inquiry-failed', orderId, err: error })
      }
    }
  }

  async function orderNumberOf(key: string): Promise<number | undefined> {
    if (/^[1-9]\d{0,14}$/.test(key)) return Number(key)
    return (await store.findByReference(key))?.order_id
  }

  return {
    open,
    reconcile,

    async repeat(orderId) {
      const isIn = async (status: OrderStatus) => (await orders.findPayable(orderId))?.status === status
      if (await isIn('PENDING_PAYMENT')) {
        try {
          return await open(orderId)
        } catch (error) {
          // Opening asks the provider first, and may so find that it has the money.
          if (!(await isIn('PAID'))) throw error
        }
      }
      // The secret of an order that expired or went back would lead to a card form that takes nothing.
      if (!(await isIn('PAID'))) throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
      const [latest] = await store.listOpened(orderId)
      if (!latest?.client_secret) throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
      return { orderId, clientSecret: latest.client_secret, publicKey: deps.publicKey }
    },

    async renew(userId, orderId) {
      const order = await orders.findPayable(orderId)
      if (order?.userId !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      return open(orderId)
    },

    async readOrder(caller, key) {
      const id = await orderNumberOf(key)
      if (id === undefined) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const order = await orders.readFor(caller, id)
      if (order.status !== 'PENDING_PAYMENT') return order
      await Promise.race([inquire(id), pause(attemptRules.pageWaitMs, undefined, { ref: false })])
      return orders.readFor(caller, id)
    },

    hasUnsettled: store.hasUnsettled,

    forgetOrders: store.dropSecrets,

    async listKept(orderIds) {
      const { attempts, events, refunds } = await store.listOfOrders(orderIds)
      const eventsOf = Map.groupBy(events, (event) => event.attempt_id)
      const refundsOf = Map.groupBy(refunds, (refund) => refund.attempt_id)
      return new Map(
        [...Map.groupBy(attempts, (attempt) => attempt.order_id)].map(([orderId, own]) => [
          orderId,
          own.map((attempt) =>
            keptPayment(attempt, eventsOf.get(attempt.id) ?? [], refundsOf.get(attempt.id) ?? []),
          ),
        ]),
      )
    },

    async receive(body, signature) {
      const reading = gateway.readCallback(body, signature)
      if (reading.outcome === 'report') {
        callbacks.inc({ outcome: await apply(reading.report, 'callback') })
        return
      }
      callbacks.inc({ outcome: reading.outcome })
      if (reading.outcome === 'acknowledged') {
        log.info({ event: 'payments.callback-acknowledged', type: reading.type })
        return
      }
      log.warn({ event: 'payments.callback-refused', outcome: reading.outcome })
      throw failure(paymentsErrors, 'CALLBACK_REFUSED')
    },
  }
}

function keptPayment(
  attempt: AttemptRow,
  events: readonly EventRow[],
  refunds: readonly RefundRow[],
): KeptPayment {
  return {
    reference: attempt.reference,
    state: attempt.state,
    amountHalalas: attempt.amount_halalas,
    currency: attempt.currency,
    startedAt: isoOf(attempt.created_at),
    events: events.map((event) => ({
      transactionId: event.transaction_id,
      kind: event.kind,
      outcome: event.outcome,
      amountHalalas: event.amount_halalas,
      currency: event.currency,
      receivedAt: isoOf(event.received_at),
    })),
    refunds: refunds.map((refund) => ({
      transactionId: refund.transaction_id,
      state: refund.state,
      reason: refund.reason,
      amountHalalas: refund.amount_halalas,
      orderedAt: isoOf(refund.created_at),
      doneAt: refund.done_at === null ? null : isoOf(refund.done_at),
    })),
  }
}
