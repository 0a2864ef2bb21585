import { setTimeout as pause } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import { sendEvent } from '#server/features/history/history.ts'
import type { CreatedOrder } from '#server/features/orders/order-creation.ts'
import type { PayableOrder } from '#server/features/orders/orders.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { lockUser } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { isSameSecret, randomSuffix } from '#server/platform/secrets.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import { orderNumberPrefix } from '#shared/orders/order-number.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { OpenedPayment, OrderStatus } from '#shared/orders/orders.schemas.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import {
  type AttemptRow,
  findLiveAttempt,
  listOpenedAttempts,
  moveAttempt,
  openAttempt,
  startAttempt,
} from './attempts.queries.ts'
import { reconcile } from './inquiries.ts'
import type { OpenedIntention } from './payments.provider.ts'
import { attemptRules, blocksPayment } from './payments.rules.ts'
import { listRefunds } from './refunds.queries.ts'

const pollIntervalMs = 50

type ChargedOrder = Pick<PayableOrder, 'id' | 'amountHalalas' | 'currency'>

interface BegunAttempt {
  readonly attempt: AttemptRow
  readonly user: User
}

const openingTime = () => AbortSignal.timeout(attemptRules.openingMs)

const openedPaymentOf = ({ config }: Core, orderId: number, clientSecret: string): OpenedPayment => ({
  orderId,
  clientSecret,
  publicKey: config.PAYMENT_PUBLIC_KEY,
})

/**
 * Returns the open payment while its client secret can be used, otherwise opens a new one.
 * @param spentSecret must not be returned again
 * @throws Failure ORDER_NOT_PAYABLE, PAYMENT_UNCHECKED, PAYMENT_UNAVAILABLE. The order exists after each of them
 */
export async function openPayment(core: Core, orderId: number, spentSecret?: string): Promise<OpenedPayment> {
  return openFor(core, await readOpening(core, orderId), spentSecret)
}

type Opening = Awaited<ReturnType<typeof readOpening>>

const readOpening = (core: Core, orderId: number) =>
  core.database.together(async () => {
    const [order, refunds, live] = await Promise.all([
      findPayable(core, orderId),
      listRefunds(core, [orderId]),
      findLiveAttempt(core, orderId),
    ])
    return { order, refunds, live }
  })

async function openFor(core: Core, opening: Opening, spentSecret?: string): Promise<OpenedPayment> {
  const { clock } = core
  const order = unpaidOf(opening)
  const { id: orderId } = order
  const signal = openingTime()
  for (let first: Opening | undefined = opening; ; first = undefined) {
    const live = first ? first.live : await findLiveAttempt(core, orderId)
    const secret = usableSecretOf(live, clock.now())
    if (secret && secret !== spentSecret) return openedPaymentOf(core, orderId, secret)
    if (isBeingCreated(live, clock.now())) {
      await pause(pollIntervalMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) throw unavailable()
      continue
    }
    const opened = await replaceAttempt(core, order, live, signal)
    if (opened) return opened
  }
}

/** @returns undefined when another request was faster */
async function replaceAttempt(
  core: Core,
  order: ReturnType<typeof unpaidOf>,
  live: Opening['live'],
  signal: AbortSignal,
): Promise<OpenedPayment | undefined> {
  // The last shown secret can be used for an hour, even when a later attempt failed. So the provider is asked.
  const [shown] = await listOpenedAttempts(core, order.id)
  if (shown) await checkUnpaid(core, shown, signal)
  // docs/wires/payment.md R3: the old attempt possibly has an intention whose secret was never shown. But a slow
  // process can have shown it since the state was read, so the state must not have changed.
  if (live && !(await moveAttempt(core, live.id, [live.state], 'superseded'))) return undefined
  const begun = await startPayment(core, order)
  return begun && createIntention(core, order, begun, signal)
}

const isBeingCreated = (attempt: Opening['live'], now: number) =>
  attempt?.state === 'creating' && now - attempt.created_at < attemptRules.creatingMs

const usableSecretOf = (attempt: Opening['live'], now: number) =>
  attempt?.state === 'open' && now < (attempt.secret_until ?? 0) ? attempt.client_secret : null

/**
 * Needs the transaction that creates the order and has locked its user.
 * @returns a function that creates the intention. Call it after the transaction; it throws Failure PAYMENT_UNAVAILABLE
 */
export async function beginPayment(core: Core, order: CreatedOrder): Promise<() => Promise<OpenedPayment>> {
  const attempt = await insertAttempt(core, order)
  if (!attempt) throw new Error('a new order had an attempt')
  return () => createIntention(core, order, { attempt, user: order.user }, openingTime())
}

/**
 * Returns the payment of an order that an earlier request created. For a paid order it returns the last client secret,
 * which accepts no payment but leads the browser to the result.
 * @throws as `openPayment`, also for an expired or refunded order
 */
export async function repeatPayment(core: Core, orderId: number): Promise<OpenedPayment> {
  const hasStatus = async (status: OrderStatus) => {
    const order = await findPayable(core, orderId)
    return order !== undefined && statusOf(order) === status
  }
  if (await hasStatus('PENDING_PAYMENT')) {
    try {
      return await openPayment(core, orderId)
    } catch (error) {
      if (!(await hasStatus('PAID'))) throw error
    }
  }
  // With the secret of an expired or refunded order, the browser would show a card form that accepts no payment.
  const [latest] = (await hasStatus('PAID')) ? await listOpenedAttempts(core, orderId) : []
  if (!latest?.client_secret) throw notPayable()
  return openedPaymentOf(core, orderId, latest.client_secret)
}

/**
 * Opens the payment of an order again. `clientSecret` must belong to the order. A spent secret is replaced only after
 * the provider was asked.
 * @throws as `openPayment`; Failure ORDER_NOT_FOUND, PAYMENT_LINK_MISMATCH
 */
export async function renewPayment(
  core: Core,
  userId: number,
  orderId: number,
  clientSecret?: string,
  isSpent = false,
): Promise<OpenedPayment> {
  const opening = await readOpening(core, orderId)
  if (opening.order?.userId !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  if (clientSecret === undefined) return openFor(core, opening)
  const opened = await listOpenedAttempts(core, orderId)
  const isIssued = opened.some(({ client_secret: issued }) => issued && isSameSecret(clientSecret, issued))
  if (!isIssued) throw failure(paymentsErrors, 'PAYMENT_LINK_MISMATCH')
  const isReplaceable = isSpent && opened.length < attemptRules.mostPerOrder
  return openFor(core, opening, isReplaceable ? clientSecret : undefined)
}

function unpaidOf({ order, refunds }: Opening): PayableOrder {
  if (!order || statusOf(order) !== 'PENDING_PAYMENT' || blocksPayment(refunds)) throw notPayable()
  return order
}

/**
 * When the callback of a payment was lost, a new secret would let the user pay twice. So the provider is asked first
 * (docs/wires/payment.md R21).
 */
async function checkUnpaid(core: Core, shown: AttemptRow, signal: AbortSignal) {
  const { order_id: orderId } = shown
  const isPaid = await reconcile(core, shown, signal).catch((error: unknown) => {
    core.log.warn({ event: 'payments.inquiry-failed', orderId, err: error })
    throw retryable('PAYMENT_UNCHECKED', error)
  })
  unpaidOf(await readOpening(core, orderId))
  if (isPaid) throw retryable('PAYMENT_UNCHECKED')
}

const startPayment = (core: Core, order: PayableOrder): Promise<BegunAttempt | undefined> =>
  core.database.transaction(async () => {
    // While the user is locked, the account is not deleted and the order is not cancelled.
    const user = await lockUser(core, order.userId)
    const present = await findPayable(core, order.id)
    if (!user || !present || statusOf(present) !== 'PENDING_PAYMENT') throw notPayable()
    const attempt = await insertAttempt(core, order)
    return attempt && { attempt, user }
  })

function insertAttempt(
  core: Core,
  { id, amountHalalas, currency }: ChargedOrder,
): Promise<AttemptRow | undefined> {
  const now = core.clock.now()
  return startAttempt(core, {
    order_id: id,
    reference: `${orderNumberPrefix}${id}-${now.toString(36).toUpperCase()}-${randomSuffix(core.random)}`,
    amount_halalas: amountHalalas,
    currency,
    created_at: now,
  })
}

async function createIntention(
  core: Core,
  { id: orderId }: ChargedOrder,
  { attempt, user }: BegunAttempt,
  signal: AbortSignal,
): Promise<OpenedPayment> {
  const { counters, log } = core
  const { reference } = attempt
  try {
    const request = {
      reference,
      orderId,
      amountHalalas: attempt.amount_halalas,
      currency: attempt.currency,
      lifeSeconds: attemptRules.secretLifeMs / 1000,
      customer: { name: user.name ?? '', phone: user.phone ?? '' },
    }
    const opened = await core.providers.payments.createIntention(request, signal)
    // Another request has replaced this slow attempt. Only one secret must be shown.
    if (!(await storeOpened(core, attempt, opened))) throw unavailable()
    counters.paymentIntentions.inc({ outcome: 'opened' })
    log.info({ event: 'payments.intention-opened', orderId, reference })
    return openedPaymentOf(core, orderId, opened.clientSecret)
  } catch (error) {
    const outcome = error instanceof OutcomeUnknownError ? 'unknown' : 'failed'
    await moveAttempt(core, attempt.id, ['creating'], outcome)
    counters.paymentIntentions.inc({ outcome })
    log.error({ event: 'payments.intention-failed', orderId, err: error })
    throw unavailable(error)
  }
}

const storeOpened = (
  core: Core,
  { id, order_id: orderId, reference, amount_halalas: halalas, currency, created_at }: AttemptRow,
  opened: OpenedIntention,
) =>
  core.database.transaction(async () => {
    const secretUntil = created_at + attemptRules.reuseMs
    if (!(await openAttempt(core, id, { ...opened, secretUntil }))) return false
    const data = { reference, halalas, currency }
    await sendEvent(core, { kind: 'payment-opened', data, by: { kind: 'owner' }, orderId })
    return true
  })

const notPayable = () => failure(paymentsErrors, 'ORDER_NOT_PAYABLE')

const retryable = (code: 'PAYMENT_UNAVAILABLE' | 'PAYMENT_UNCHECKED', cause?: unknown) =>
  failure(paymentsErrors, code, { retryAfterSeconds: 5, cause })

const unavailable = (cause?: unknown) => retryable('PAYMENT_UNAVAILABLE', cause)
