import { setTimeout as pause } from 'node:timers/promises'
import { recordEvent } from '#server/features/history/history.ts'
import type { CreatedOrder, PayableOrder } from '#server/features/orders/orders.service.ts'
import { failure } from '#server/platform/errors.ts'
import { isSameSecret, randomSuffix } from '#server/platform/secrets.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import { orderNumberPrefix } from '#shared/orders/order-number.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { OpenedPayment, OrderStatus } from '#shared/orders/orders.schemas.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import type { AttemptRow } from './attempts.store.ts'
import type { Inquiries } from './inquiries.service.ts'
import type { PaymentsDeps } from './outcomes.service.ts'
import type { OpenedIntention } from './payments.provider.ts'
import { attemptRules, blocksPayment } from './payments.rules.ts'

const pollIntervalMs = 50

type ChargedOrder = Pick<PayableOrder, 'id' | 'amountHalalas' | 'currency'>

/** A started attempt, and who pays. */
interface BegunAttempt {
  readonly attempt: AttemptRow
  readonly user: User
}

/** Opens payments: starts attempts and creates their intentions at the provider. */
export function createIntentions(deps: PaymentsDeps, { reconcile }: Pick<Inquiries, 'reconcile'>) {
  const { store, orders, clock, log } = deps
  const { insertAttempt, startAttempt, createIntention } = createAttempts(deps)

  /** @throws Failure ORDER_NOT_PAYABLE, also while a wrong amount is being refunded. */
  async function findUnpaid(orderId: number): Promise<PayableOrder> {
    const order = await orders.findPayable(orderId)
    if (!order || statusOf(order) !== 'PENDING_PAYMENT' || blocksPayment(await store.listRefunds([orderId])))
      throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
    return order
  }

  /**
   * The payment of an unpaid order: the open attempt while its secret is usable, else a new one. `spentSecret` is never
   * returned again.
   * @throws Failure ORDER_NOT_PAYABLE, PAYMENT_UNCHECKED, PAYMENT_UNAVAILABLE (the order stays).
   */
  async function open(orderId: number, spentSecret?: string): Promise<OpenedPayment> {
    const order = await findUnpaid(orderId)
    const signal = deps.openingTime()
    for (;;) {
      const live = await store.findLiveAttempt(order.id)
      const isUsable = live?.client_secret !== spentSecret && clock.now() < (live?.secret_until ?? 0)
      if (live?.state === 'open' && live.client_secret && isUsable)
        return { orderId, clientSecret: live.client_secret, publicKey: deps.publicKey }
      if (live?.state === 'creating' && clock.now() - live.created_at < attemptRules.creatingMs) {
        // Another request is creating the intention: wait for its result.
        await pause(pollIntervalMs, undefined, { signal }).catch(() => undefined)
        if (signal.aborted) throw unavailable()
        continue
      }
      // The last secret that was shown takes a payment until its hour is over, also when the attempt after it came to nothing.
      const [shown] = await store.listOpened(order.id)
      if (shown) await checkUnpaid(shown, signal)
      // docs/wires/payment.md R3: an attempt that failed or timed out may have left an intention whose secret was never shown. Superseded only
      // in the state read above: a slow process may have received and shown its secret meanwhile.
      if (live && !(await store.moveAttempt(live.id, [live.state], 'superseded'))) continue
      const begun = await startAttempt(order)
      if (begun) return createIntention(order, begun, signal)
    }
  }

  /**
   * docs/wires/payment.md R21: the callback of a payment may be lost, so the provider is asked before a secret is replaced.
   * Without an answer, or while it counts money that it does not report, the user might pay twice.
   * @throws Failure ORDER_NOT_PAYABLE, PAYMENT_UNCHECKED.
   */
  async function checkUnpaid(live: AttemptRow, signal: AbortSignal): Promise<void> {
    const { order_id: orderId } = live
    const isPaid = await reconcile(live, signal).catch((error: unknown) => {
      log.warn({ event: 'payments.inquiry-failed', orderId, err: error })
      throw retryable('PAYMENT_UNCHECKED', error)
    })
    await findUnpaid(orderId)
    if (isPaid) throw retryable('PAYMENT_UNCHECKED')
  }

  /** True for a client secret that the provider issued to an attempt of this order, however old. */
  async function isIssued(orderId: number, clientSecret: string): Promise<boolean> {
    const opened = await store.listOpened(orderId)
    return opened.some(({ client_secret: issued }) => issued !== null && isSameSecret(clientSecret, issued))
  }

  return {
    open,

    /**
     * Inside the transaction that creates an order, whose user is locked: starts its first attempt. The returned function
     * creates the intention, once the transaction is over. @throws there Failure PAYMENT_UNAVAILABLE.
     */
    async begin(order: CreatedOrder): Promise<() => Promise<OpenedPayment>> {
      const attempt = await insertAttempt(order)
      if (!attempt) throw new Error('a new order had an attempt')
      return () => createIntention(order, { attempt, user: order.user }, deps.openingTime())
    },

    /**
     * The result of an earlier `open`. An order that was paid meanwhile keeps its last secret, which takes no payment
     * but leads the browser to the result. @throws as `open`, also for an expired or refunded order.
     */
    async repeat(orderId: number): Promise<OpenedPayment> {
      const hasStatus = async (status: OrderStatus) => {
        const order = await orders.findPayable(orderId)
        return order !== undefined && statusOf(order) === status
      }
      if (await hasStatus('PENDING_PAYMENT')) {
        try {
          return await open(orderId)
        } catch (error) {
          // Opening asks the provider first, which may report that the order is paid.
          if (!(await hasStatus('PAID'))) throw error
        }
      }
      // The secret of an expired or refunded order would open a card form that accepts no payment.
      if (!(await hasStatus('PAID'))) throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
      const [latest] = await store.listOpened(orderId)
      if (!latest?.client_secret) throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
      return { orderId, clientSecret: latest.client_secret, publicKey: deps.publicKey }
    },

    /**
     * `open` for the order's owner. A client secret must have been issued for this order; a spent one is replaced, after
     * the provider was asked whether it was paid with.
     * @throws as `open`; Failure ORDER_NOT_FOUND, PAYMENT_LINK_MISMATCH.
     */
    async renew(
      userId: number,
      orderId: number,
      clientSecret?: string,
      isSpent = false,
    ): Promise<OpenedPayment> {
      const order = await orders.findPayable(orderId)
      if (order?.userId !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      if (clientSecret !== undefined && !(await isIssued(orderId, clientSecret)))
        throw failure(paymentsErrors, 'PAYMENT_LINK_MISMATCH')
      const isReplaceable = isSpent && (await store.listOpened(orderId)).length < attemptRules.mostPerOrder
      return open(orderId, isReplaceable ? clientSecret : undefined)
    },
  }
}

function createAttempts({
  database,
  store,
  provider,
  orders,
  users,
  publicKey,
  clock,
  log,
  metrics,
}: PaymentsDeps) {
  const intentions = metrics.counter(
    'amtiati_payment_intentions_total',
    'Intentions by outcome.',
    ['outcome'],
    ['opened', 'unknown', 'failed'].map((outcome) => ({ outcome })),
  )

  /** Undefined when another request has started an attempt. */
  const insertAttempt = ({ id, amountHalalas, currency }: ChargedOrder): Promise<AttemptRow | undefined> =>
    store.startAttempt({
      order_id: id,
      reference: `${orderNumberPrefix}${id}-${clock.now().toString(36).toUpperCase()}-${randomSuffix()}`,
      amount_halalas: amountHalalas,
      currency,
      created_at: clock.now(),
    })

  /** False when another request has replaced the attempt. */
  const storeOpened = (
    { id, order_id: orderId, reference, amount_halalas: halalas, currency, created_at }: AttemptRow,
    opened: OpenedIntention,
  ): Promise<boolean> =>
    database.transaction(async () => {
      const secretUntil = created_at + attemptRules.reuseMs
      if (!(await store.openAttempt(id, { ...opened, secretUntil }))) return false
      const data = { reference, halalas, currency }
      await recordEvent({ database }, { kind: 'payment-opened', data, by: { kind: 'owner' }, orderId })
      return true
    })

  return {
    insertAttempt,

    /** Undefined when another request has started an attempt. @throws Failure ORDER_NOT_PAYABLE. */
    startAttempt: (order: PayableOrder): Promise<BegunAttempt | undefined> =>
      database.transaction(async () => {
        // Locked, so that no payment begins for an account that is being deleted or an order that is being cancelled.
        const user = await users.lockUser(order.userId)
        const present = await orders.findPayable(order.id)
        if (!user || !present || statusOf(present) !== 'PENDING_PAYMENT')
          throw failure(paymentsErrors, 'ORDER_NOT_PAYABLE')
        const attempt = await insertAttempt(order)
        return attempt && { attempt, user }
      }),

    /** @throws Failure PAYMENT_UNAVAILABLE. */
    async createIntention(
      order: ChargedOrder,
      { attempt, user }: BegunAttempt,
      signal: AbortSignal,
    ): Promise<OpenedPayment> {
      try {
        const request = {
          reference: attempt.reference,
          orderId: order.id,
          amountHalalas: attempt.amount_halalas,
          currency: attempt.currency,
          lifeSeconds: attemptRules.secretLifeMs / 1000,
          customer: { name: user.name ?? '', phone: user.phone ?? '' },
        }
        const opened = await provider.createIntention(request, signal)
        const isStored = await storeOpened(attempt, opened)
        // Another request assumed that this process died and replaced the attempt: two secrets must not be shown.
        if (!isStored) throw unavailable()
        intentions.inc({ outcome: 'opened' })
        log.info({ event: 'payments.intention-opened', orderId: order.id, reference: attempt.reference })
        return { orderId: order.id, clientSecret: opened.clientSecret, publicKey }
      } catch (error) {
        const isOutcomeUnknown = error instanceof OutcomeUnknownError
        await store.moveAttempt(attempt.id, ['creating'], isOutcomeUnknown ? 'unknown' : 'failed')
        intentions.inc({ outcome: isOutcomeUnknown ? 'unknown' : 'failed' })
        log.error({ event: 'payments.intention-failed', orderId: order.id, err: error })
        throw unavailable(error)
      }
    },
  }
}

const retryable = (code: 'PAYMENT_UNAVAILABLE' | 'PAYMENT_UNCHECKED', cause?: unknown) =>
  failure(paymentsErrors, code, { retryAfterSeconds: 5, cause })

const unavailable = (cause?: unknown) => retryable('PAYMENT_UNAVAILABLE', cause)
