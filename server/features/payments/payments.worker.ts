import { eraseWords } from '#server/features/history/retention.ts'
import { createBatchWorker } from '#server/platform/batches.ts'
import { type Claimed, reasonOf, timeSince } from '#server/platform/database/leases.ts'
import type { Retention } from '#server/platform/retention.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import type { RefundState } from '#shared/payments/payments.schemas.ts'
import type { PaymentsDeps } from './outcomes.service.ts'
import { ProviderRefusal } from './payments.provider.ts'
import {
  abandonedAfterMs,
  attemptRules,
  finalStep,
  inquiryDueAt,
  nextInquiryStep,
  refundDelayMs,
  refundRules,
  returnOf,
  unreadInquiryDelayMs,
} from './payments.rules.ts'
import type { PaymentsService } from './payments.service.ts'
import type { HeldRefund, RefundRow } from './refunds.store.ts'

export type PaymentsWorkersDeps = Pick<
  PaymentsDeps,
  'database' | 'store' | 'provider' | 'orders' | 'clock' | 'log'
> &
  Pick<PaymentsService, 'reconcile' | 'applyReport' | 'finishRefund'>

/** Of this gateway. */
const parallel = 4
const roundMs = 2_000

type InquiryJob = Claimed<'payment_attempts'> & {
  /** The database's time. */
  readonly now: () => number
}

/** The sweep (docs/wires/payment.md R14): asks about every attempt on its schedule, and expires orders that were not paid by its end. */
export function createInquiryWorker(deps: PaymentsWorkersDeps): Worker {
  const { store, orders, clock, log } = deps

  async function ask(attempt: InquiryJob): Promise<void> {
    // The provider refused its intention, so it cannot be paid; its order still has to expire.
    const isPaid = attempt.state === 'failed' ? false : await deps.reconcile(attempt)
    const { order_id: orderId, inquiry_step: step } = attempt
    // An inquiry out of turn: it neither advances the schedule nor expires the order.
    const ownDueAt = inquiryDueAt(attempt.created_at, step)
    if (ownDueAt === null || ownDueAt > attempt.now()) {
      await store.planInquiry(attempt, step, ownDueAt)
      return
    }
    if (step >= finalStep && !isPaid && !(await store.hasLaterAttempt(orderId, attempt.id))) {
      await store.moveAttempt(attempt.id, ['creating', 'open', 'unknown'], 'superseded')
      if (await orders.markExpired(orderId)) log.info({ event: 'payments.order-expired', orderId })
    }
    const next = nextInquiryStep(attempt.created_at, step, attempt.now())
    await store.planInquiry(attempt, next, inquiryDueAt(attempt.created_at, next))
  }

  /** Without an answer the inquiry is due again after others; after an unreadable answer, at growing intervals. */
  async function postpone(attempt: InquiryJob, error: unknown): Promise<void> {
    log.warn({ event: 'payments.sweep-failed', orderId: attempt.order_id, err: error })
    const { created_at: createdAt, inquiry_step: step } = attempt
    const now = attempt.now()
    if (!(error instanceof ProviderRefusal) || error.status >= 300) {
      await store.planInquiry(attempt, step, now + attemptRules.leaseMs, reasonOf(error))
      return
    }
    const ownDueAt = inquiryDueAt(createdAt, step) ?? Number.POSITIVE_INFINITY
    const isOwn = ownDueAt <= now
    // An inquiry out of turn has no scheduled time; it cannot have been due before the attempt was started.
    const againAt = now + unreadInquiryDelayMs(isOwn ? ownDueAt : createdAt, now)
    await store.planInquiry(attempt, step, isOwn ? againAt : Math.min(ownDueAt, againAt), reasonOf(error))
  }

  return createWorker<InquiryJob>({
    name: 'payments.sweep',
    claim: async () => {
      const attempt = await store.leaseInquiry()
      return attempt && { ...attempt, now: timeSince(attempt.claimed_at, clock) }
    },
    run: (attempt) => ask(attempt).catch((error: unknown) => postpone(attempt, error)),
    parallel,
    roundMs,
    log,
  })
}

const ordersPerBatch = 100

/** Expires unpaid orders without an attempt to ask about: their payment page was never opened. */
export function createExpiryWorker({ orders, log }: Pick<PaymentsWorkersDeps, 'orders' | 'log'>): Worker {
  return createBatchWorker({
    name: 'payments.expiry',
    async batch() {
      const expired = await orders.expireOlderThan(abandonedAfterMs, ordersPerBatch)
      if (expired > 0) log.info({ event: 'payments.orders-abandoned', orders: expired })
      return expired === ordersPerBatch
    },
    roundMs: 10_000,
    log,
  })
}

type RefundJob = RefundRow & HeldRefund

/**
 * Refunds wrong amounts, second payments, and payments for a cancelled order or a deleted account (R17 to R19). It reads the transaction before
 * it requests a refund, requests once, and takes a refund as done only when the transaction shows it.
 */
export function createRefundWorker({
  store,
  provider,
  applyReport,
  finishRefund,
  database,
  log,
}: PaymentsWorkersDeps): Worker {
  const plan = (refund: RefundJob, state: RefundState, afterMs: number, error?: unknown) =>
    store.planRefund(refund, state, database.now(afterMs), error === undefined ? null : reasonOf(error))

  /** Does something about a refund while no report of its payment is applied: events of an order have one order. */
  const locked = <T>({ attempt_id: attemptId }: RefundJob, act: () => Promise<T>): Promise<T> =>
    database.transaction(async () => {
      await store.lockAttempt(attemptId)
      return act()
    })

  async function requestRefund(claimed: RefundJob): Promise<void> {
    const { transaction_id: transactionId } = claimed
    const seen = await provider.readTransaction(transactionId)
    // A callback alone causes no refund: the provider's own answer decides, and its amount may be exact.
    if (seen && claimed.reason === 'wrong-amount' && claimed.state === 'due') await applyReport(seen)
    const returned = seen && returnOf(seen)
    const partHalalas = returned === 'part' ? Number(seen?.refundedHalalas) : 0
    const before = await store.sumReturned('transaction_id', transactionId)
    if (returned === 'whole' || partHalalas >= before + claimed.amount_halalas) {
      // First, so that the sum of returned money includes this refund.
      if (returned === 'part') await finishRefund(claimed)
      // The order is refunded with its payment, also where the provider's own report was lost.
      if (seen && (claimed.reason === 'cancelled' || claimed.reason === 'operator')) await applyReport(seen)
      if (returned === 'whole') await finishRefund(claimed)
      log.info({ event: 'payments.refunded', transactionId, amountHalalas: claimed.amount_halalas })
      return
    }
    const isSeen = seen?.kind === 'succeeded' || partHalalas > 0
    if (claimed.state === 'asked' || !isSeen) {
      if (claimed.state !== 'asked')
        log.warn({ event: 'payments.refund-waits', transactionId, seen: seen?.kind ?? 'nothing' })
      await plan(claimed, claimed.state, refundDelayMs(claimed.tries))
      return
    }
    // Stored before the request: if the process dies during it, the outcome is unknown and is read first. Only the holder
    // of the lease requests, and only what is not returned yet.
    const begun = await locked(claimed, () => store.beginRefund(claimed))
    if (!begun) return
    // What was returned by hand and is not stored yet. Read again: it may have been stored since, and the refund made smaller.
    const stored = await store.sumReturned('transaction_id', transactionId)
    await request(begun, Math.max(0, partHalalas - stored))
  }

  async function request(begun: RefundJob, partHalalas: number): Promise<void> {
    try {
      await provider.refund(begun.transaction_id, begun.amount_halalas - partHalalas)
    } catch (error) {
      warnOf(begun, error)
      const isRefused = error instanceof ProviderRefusal
      const againAt = database.now(refundDelayMs(begun.tries))
      if (error instanceof OutcomeUnknownError || (isRefused && error.status >= 500))
        await locked(begun, () =>
          store.doubtRefund(begun, database.now(refundRules.leaseMs), reasonOf(error)),
        )
      else if (isRefused) await locked(begun, () => store.refuseRefund(begun, againAt, reasonOf(error)))
      else await plan(begun, 'due', refundDelayMs(begun.tries), error)
      return
    }
    await plan(begun, 'asked', refundRules.readAfterMs)
  }

  /** A failed read gives no information, so the state stays. */
  async function postpone(claimed: RefundJob, error: unknown): Promise<void> {
    warnOf(claimed, error)
    await plan(claimed, claimed.state, refundDelayMs(claimed.tries), error)
  }

  const warnOf = ({ transaction_id: transactionId, tries }: RefundJob, error: unknown) =>
    log.error({ event: 'payments.refund-failed', transactionId, tries, err: error })

  return createWorker<RefundJob>({
    name: 'payments.refunds',
    claim: () => store.leaseRefund(),
    run: (refund) => requestRefund(refund).catch((error: unknown) => postpone(refund, error)),
    parallel,
    roundMs,
    log,
  })
}

const eventsPerBatch = 100
const ordersPerBatchOfRetention = 20

type RetentionDeps = Pick<PaymentsWorkersDeps, 'database' | 'store' | 'orders'> & {
  readonly keepMs: number
}

/** Clears the details of events older than `keepMs`; amounts and outcomes stay. */
export function createDetailsRetention({ store, keepMs }: RetentionDeps): Retention {
  // Numbers follow the time of arrival, so a page is visited once. Details that had to stay are visited again after the
  // next start.
  let after = 0
  return {
    event: 'payments.details-deleted',
    async batch(now) {
      const page = await store.clearDetails(after, now - keepMs, eventsPerBatch)
      after = page.reached
      return page
    },
  }
}

/** Deletes why the bank refused a card or a refund, after `keepMs`. */
export function createWordsRetention({
  database,
  keepMs,
}: Pick<RetentionDeps, 'database' | 'keepMs'>): Retention {
  return {
    event: 'payments.words-deleted',
    batch: (now) =>
      eraseWords({ database }, ['payment-failed', 'refund-refused'], now - keepMs, eventsPerBatch),
  }
}

/** Deletes expired and cancelled orders older than `keepMs` for which no money ever moved. */
export function createUnpaidRetention({ database, store, orders, keepMs }: RetentionDeps): Retention {
  const start = { createdAt: 0, id: 0 }
  // Orders that had to stay are few, and are visited again in each round.
  let after = start
  return {
    event: 'payments.unpaid-orders-deleted',
    async batch(now) {
      const page = await orders.listNeverPaid(now - keepMs, after, ordersPerBatchOfRetention)
      const ids = page.map(({ id }) => id)
      const rows = await database.transaction(async () =>
        orders.deleteNeverPaid(await store.deleteUnpaid(ids)),
      )
      const last = page.length === ordersPerBatchOfRetention ? page.at(-1) : undefined
      after = last ?? start
      return { rows, more: last !== undefined }
    },
  }
}
