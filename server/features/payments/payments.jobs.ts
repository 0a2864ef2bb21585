import type { Core } from '#server/core.ts'
import { eraseWords } from '#server/features/history/retention.ts'
import {
  deleteNeverPaid,
  expireOlderThan,
  listNeverPaid,
  markExpired,
} from '#server/features/orders/orders.queries.ts'
import { createBatchWorker, daysMs } from '#server/platform/batches.ts'
import { type Claimed, reasonOf, timeSince } from '#server/platform/database/leases.ts'
import type { Retention } from '#server/platform/retention.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import type { RefundState } from '#shared/payments/payments.schemas.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { hasLaterAttempt, leaseInquiry, lockAttempt, moveAttempt, planInquiry } from './attempts.queries.ts'
import { reconcile } from './inquiries.ts'
import { applyReport, finishRefund } from './outcomes.ts'
import { clearEventDetails } from './payment-events.queries.ts'
import { ProviderRefusal } from './payments.provider.ts'
import { deleteUnpaid } from './payments.queries.ts'
import {
  abandonedAfterMs,
  attemptRules,
  finalStep,
  inquiryDueAt,
  nextInquiryStep,
  type PaymentReport,
  refundDelayMs,
  refundRules,
  returnOf,
  unreadInquiryDelayMs,
} from './payments.rules.ts'
import {
  beginRefund,
  doubtRefund,
  type HeldRefund,
  leaseRefund,
  planRefund,
  type RefundRow,
  refuseRefund,
  sumReturned,
} from './refunds.queries.ts'

const parallel = 4
const roundMs = 2_000

type InquiryJob = Claimed<'payment_attempts'> & {
  /** Epoch milliseconds by the database's clock. */
  readonly now: () => number
}

/** Asks the provider about every attempt on a schedule (docs/wires/payment.md R14). */
export const inquiries = (core: Core): Worker =>
  createWorker<InquiryJob>({
    name: 'payments.sweep',
    claim: async () => {
      const attempt = await leaseInquiry(core)
      return attempt && { ...attempt, now: timeSince(attempt.claimed_at, core.clock) }
    },
    run: (attempt) => inquire(core, attempt).catch((error: unknown) => postponeInquiry(core, attempt, error)),
    parallel,
    roundMs,
    log: core.log,
  })

async function inquire(core: Core, attempt: InquiryJob) {
  // A failed attempt cannot be paid, but its order must expire.
  const isPaid = attempt.state === 'failed' ? false : await reconcile(core, attempt)
  const { id, order_id: orderId, created_at: createdAt, inquiry_step: step } = attempt
  // An inquiry before its scheduled time must neither advance the schedule nor expire the order.
  const ownDueAt = inquiryDueAt(createdAt, step)
  if (ownDueAt === null || ownDueAt > attempt.now()) {
    await planInquiry(core, attempt, step, ownDueAt)
    return
  }
  if (step >= finalStep && !isPaid && !(await hasLaterAttempt(core, orderId, id))) {
    await moveAttempt(core, id, ['creating', 'open', 'unknown'], 'superseded')
    if (await markExpired(core, orderId)) core.log.info({ event: 'payments.order-expired', orderId })
  }
  const next = nextInquiryStep(createdAt, step, attempt.now())
  await planInquiry(core, attempt, next, inquiryDueAt(createdAt, next))
}

async function postponeInquiry(core: Core, attempt: InquiryJob, error: unknown) {
  core.log.warn({ event: 'payments.sweep-failed', orderId: attempt.order_id, err: error })
  const { created_at: createdAt, inquiry_step: step } = attempt
  const now = attempt.now()
  if (!(error instanceof ProviderRefusal) || error.status >= 300) {
    await planInquiry(core, attempt, step, now + attemptRules.leaseMs, reasonOf(error))
    return
  }
  const ownDueAt = inquiryDueAt(createdAt, step) ?? Number.POSITIVE_INFINITY
  const isOwn = ownDueAt <= now
  const againAt = now + unreadInquiryDelayMs(isOwn ? ownDueAt : createdAt, now)
  await planInquiry(core, attempt, step, isOwn ? againAt : Math.min(ownDueAt, againAt), reasonOf(error))
}

const ordersPerBatch = 100

/** Expires unpaid orders that are too old for an inquiry. */
export const expiry = (core: Core): Worker =>
  createBatchWorker({
    name: 'payments.expiry',
    async batch() {
      const expired = await expireOlderThan(core, abandonedAfterMs, ordersPerBatch)
      if (expired > 0) core.log.info({ event: 'payments.orders-abandoned', orders: expired })
      return expired === ordersPerBatch
    },
    roundMs: 10_000,
    log: core.log,
  })

type RefundJob = RefundRow & HeldRefund

/** docs/wires/payment.md R17 to R19 */
export const refunds = (core: Core): Worker =>
  createWorker<RefundJob>({
    name: 'payments.refunds',
    claim: () => leaseRefund(core),
    run: (refund) => makeRefund(core, refund).catch((error: unknown) => postponeRefund(core, refund, error)),
    parallel,
    roundMs,
    log: core.log,
  })

async function makeRefund(core: Core, claimed: RefundJob) {
  const { log } = core
  const { transaction_id: transactionId, amount_halalas: amountHalalas, reason, state } = claimed
  const seen = await core.providers.payments.readTransaction(transactionId)
  // A callback alone must not cause a refund: the provider's answer can show the exact amount.
  if (seen && reason === 'wrong-amount' && state === 'due') await applyReport(core, seen, 'inquiry')
  const returned = seen && returnOf(seen)
  const partHalalas = returned === 'part' ? Number(seen?.refundedHalalas) : 0
  const before = await sumReturned(core, 'transaction_id', transactionId)
  if (seen && (returned === 'whole' || partHalalas >= before + amountHalalas)) {
    await applyReturn(core, claimed, seen)
    log.info({ event: 'payments.refunded', transactionId, amountHalalas })
    return
  }
  const isSeen = seen?.kind === 'succeeded' || partHalalas > 0
  if (!isSeen && state !== 'asked')
    log.warn({ event: 'payments.refund-waits', transactionId, seen: seen?.kind ?? 'nothing' })
  if (!isSeen || state === 'asked') return planAfter(core, claimed, state, refundDelayMs(claimed.tries))
  // The state `uncertain` is stored before the refund is requested: when the process dies, the next worker reads the
  // transaction before it requests again.
  const begun = await locked(core, claimed, () => beginRefund(core, claimed))
  if (!begun) return
  // Staff possibly returned a part at the provider that is not stored yet. The refund can have been reduced since the
  // first read, so the sum is read again.
  const stored = await sumReturned(core, 'transaction_id', transactionId)
  await requestRefund(core, begun, Math.max(0, partHalalas - stored))
}

async function applyReturn(core: Core, claimed: RefundJob, seen: PaymentReport) {
  const { reason } = claimed
  const isWhole = returnOf(seen) === 'whole'
  // A part is finished first, so that `applyReport` finds it in the sum of returned money.
  if (!isWhole) await finishRefund(core, claimed)
  if (reason === 'cancelled' || reason === 'operator') await applyReport(core, seen, 'inquiry')
  if (isWhole) await finishRefund(core, claimed)
}

async function requestRefund(core: Core, begun: RefundJob, partHalalas: number) {
  const { database } = core
  try {
    await core.providers.payments.refund(begun.transaction_id, begun.amount_halalas - partHalalas)
  } catch (error) {
    warnOf(core, begun, error)
    const reason = reasonOf(error)
    const delayMs = refundDelayMs(begun.tries)
    const isRefused = error instanceof ProviderRefusal
    if (error instanceof OutcomeUnknownError || (isRefused && error.status >= 500))
      await locked(core, begun, () => doubtRefund(core, begun, database.now(refundRules.leaseMs), reason))
    else if (isRefused)
      await locked(core, begun, () => refuseRefund(core, begun, database.now(delayMs), reason))
    else await planAfter(core, begun, 'due', delayMs, error)
    return
  }
  await planAfter(core, begun, 'asked', refundRules.readAfterMs)
}

async function postponeRefund(core: Core, claimed: RefundJob, error: unknown) {
  warnOf(core, claimed, error)
  await planAfter(core, claimed, claimed.state, refundDelayMs(claimed.tries), error)
}

const planAfter = (core: Core, refund: RefundJob, state: RefundState, afterMs: number, error?: unknown) =>
  planRefund(core, refund, state, core.database.now(afterMs), error === undefined ? null : reasonOf(error))

/** While the attempt is locked, no report is applied. */
const locked = <T>(core: Core, { attempt_id: attemptId }: RefundJob, change: () => Promise<T>): Promise<T> =>
  core.database.transaction(async () => {
    await lockAttempt(core, attemptId)
    return change()
  })

const warnOf = ({ log }: Core, { transaction_id: transactionId, tries }: RefundJob, error: unknown) =>
  log.error({ event: 'payments.refund-failed', transactionId, tries, err: error })

const eventsPerBatch = 100
const ordersPerBatchOfRetention = 20

export const paymentsRetention = (core: Core): Retention[] => [
  detailsRetention(core),
  {
    event: 'payments.words-deleted',
    batch: (now) =>
      eraseWords(
        core,
        ['payment-failed', 'refund-refused'],
        now - daysMs(retentionDays.paymentDetails),
        eventsPerBatch,
      ),
  },
  unpaidRetention(core),
]

function detailsRetention(core: Core): Retention {
  // Each page is examined once per start of the gateway, because ids grow with the time of arrival.
  let after = 0
  return {
    event: 'payments.details-deleted',
    async batch(now) {
      const before = now - daysMs(retentionDays.paymentDetails)
      const page = await clearEventDetails(core, after, before, eventsPerBatch)
      after = page.reached
      return page
    },
  }
}

function unpaidRetention(core: Core): Retention {
  const start = { createdAt: 0, id: 0 }
  let after = start
  return {
    event: 'payments.unpaid-orders-deleted',
    async batch(now) {
      const before = now - daysMs(retentionDays.unpaidOrders)
      const page = await listNeverPaid(core, before, after, ordersPerBatchOfRetention)
      const ids = page.map(({ id }) => id)
      const rows = await core.database.transaction(async () =>
        deleteNeverPaid(core, await deleteUnpaid(core, ids)),
      )
      const last = page.length === ordersPerBatchOfRetention ? page.at(-1) : undefined
      after = last ?? start
      return { rows, more: last !== undefined }
    },
  }
}
