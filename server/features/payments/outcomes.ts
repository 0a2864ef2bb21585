import type { Core } from '#server/core.ts'
import { type Actor, listEvents, sendEvent } from '#server/features/history/history.ts'
import { type Effects, writeMessagesLater } from '#server/features/history/outbox.ts'
import { markPaidLate } from '#server/features/orders/cancellation.ts'
import { markPaid, markRefunded } from '#server/features/orders/orders.queries.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { correctReceipt, issueReceipt, receiptReturned } from '#server/features/receipts/receipts.ts'
import { lockUser } from '#server/features/users/users.ts'
import type { EventKind, EventOutcome, RefundReason } from '#shared/payments/payments.schemas.ts'
import { currency } from '#shared/platform/money.ts'
import {
  type AttemptRow,
  lockAttempt,
  lockAttemptOfProvider,
  moveAttempt,
  scheduleInquiryNow,
} from './attempts.queries.ts'
import { classify, isReversalOfPayment, isReversed, isSameReport, provesPayment } from './outcomes.rules.ts'
import {
  addPaymentEvent,
  type EventRow,
  listPaymentEvents,
  setEventOutcome,
} from './payment-events.queries.ts'
import { isExactAmount, type PaymentReport, refusalIn } from './payments.rules.ts'
import {
  addRefund,
  markRefundDone,
  type RefundOfOrder,
  type RefundRow,
  recordReturned,
  sumReturned,
  withdrawRefund,
} from './refunds.queries.ts'

type NoPayment = Exclude<RefundReason, 'cancelled' | 'operator'>

const ordinaryOutcomes: readonly (EventOutcome | 'repeated')[] = [
  'applied',
  'noted',
  'repeated',
  'order-cancelled',
]

type ReportSource = 'callback' | 'inquiry'

/**
 * A child transaction changes nothing, so the provider is asked for its payment. It is also asked about a partial
 * refund in a callback, because the returned amount is not signed.
 */
const needsInquiry = (report: PaymentReport, source: ReportSource, outcome: EventOutcome) =>
  report.isChild || (source === 'callback' && outcome === 'partial-refund')

/** A stored report whose effects are not applied yet. Its payment attempt is locked. */
interface StoredReport {
  readonly report: PaymentReport
  readonly attempt: AttemptRow
  readonly source: ReportSource
  readonly kind: EventKind
  readonly outcome: EventOutcome
  readonly known: readonly EventRow[]
  readonly isReturned: boolean
}

const provider: Actor = { kind: 'provider' }

const paidWith = ({ transactionId, amountHalalas, currency: ofReport }: PaymentReport) => ({
  transaction: transactionId,
  halalas: amountHalalas,
  currency: ofReport,
})

const paymentOf = ({ report, attempt }: StoredReport) => ({
  orderId: attempt.order_id,
  transactionId: report.transactionId,
  amountHalalas: report.amountHalalas,
})

/** Every report of a payment must be applied by this function: it stores the report with its effects, at most once. */
export async function applyReport(
  core: Core,
  report: PaymentReport,
  source: ReportSource,
): Promise<EventOutcome | 'repeated'> {
  const { counters, log } = core
  for (const field of report.dropped) counters.paymentFieldsDropped.inc({ field })
  const { outcome, orderId } = await core.database.transaction(() => storeReport(core, report, source))
  if (outcome === 'applied' && report.kind === 'succeeded') {
    counters.ordersPaid.inc()
    core.wake('shipments')
  }
  const isReversal = report.kind === 'refunded' || report.kind === 'voided'
  if (outcome === 'applied' && isReversal) counters.ordersRefunded.inc()
  const line = {
    event: 'payments.reported',
    source,
    outcome,
    kind: report.kind,
    transactionId: report.transactionId,
    orderId,
  }
  if (ordinaryOutcomes.includes(outcome)) log.info(line)
  else log.error({ ...line, amountHalalas: report.amountHalalas })
  return outcome
}

async function storeReport(core: Core, report: PaymentReport, source: ReportSource) {
  const { transactionId, providerOrderId } = report
  const [attempt, known] = await Promise.all([
    // A payment and its refund can be reported simultaneously. The lock lets the second report see the first.
    lockAttemptOfProvider(core, providerOrderId),
    listPaymentEvents(core, transactionId),
  ])
  return {
    outcome: await storeWith(core, { report, source, attempt, known }),
    orderId: attempt?.order_id,
  }
}

async function storeWith(
  core: Core,
  {
    report,
    source,
    attempt,
    known,
  }: Pick<StoredReport, 'report' | 'source' | 'known'> & { readonly attempt: AttemptRow | undefined },
): Promise<EventOutcome | 'repeated'> {
  const { transactionId, kind } = report
  const outcome = classify(report, attempt)
  const event = {
    transaction_id: transactionId,
    kind,
    attempt_id: attempt?.id ?? null,
    source,
    outcome,
    amount_halalas: report.amountHalalas,
    currency: report.currency,
    body: JSON.stringify(report.raw),
    received_at: core.clock.now(),
  }
  if (!(await addPaymentEvent(core, event))) return 'repeated'
  if (!attempt) return outcome
  // A returned payment was paid before. Its success is stored, so that a later report of the success is a repetition.
  const isPayment =
    provesPayment(report, attempt.amount_halalas, outcome) &&
    (await addPaymentEvent(core, { ...event, kind: 'succeeded', outcome: 'applied' }))
  if (isPayment) core.afterCommit(() => core.wake('shipments'))
  const isReturned = isReversed([...known.filter((earlier) => earlier.kind !== kind), event])
  const stored = { report, attempt, source, kind, outcome, known, isReturned }
  const applied = await applyPayment(core, stored, isPayment)
  if (needsInquiry(report, source, applied)) {
    await scheduleInquiryNow(core, attempt.id)
    core.afterCommit(() => core.wake('inquiries'))
  }
  if (applied === 'partial-refund' && source === 'inquiry' && !report.isChild) {
    const { refundedHalalas: returned } = report
    if (typeof returned === 'number') {
      await storeReturned(core, stored, returned, 'operator')
      await correctReceipt(core, attempt.order_id, transactionId, returned)
    }
  }
  if (applied !== outcome) await setEventOutcome(core, transactionId, kind, applied)
  return applied
}

/** Records a report that changes nothing, unless an equal report is recorded. */
async function note(
  core: Core,
  { report, attempt, source, kind, known }: StoredReport,
  outcome: EventOutcome,
): Promise<EventOutcome> {
  const { amountHalalas: amount_halalas, currency: ofReport } = report
  const noted = { kind, outcome, amount_halalas, currency: ofReport }
  if (known.some((earlier) => isSameReport(earlier, noted))) return outcome
  const payment = paidWith(report)
  const subject = { by: provider, orderId: attempt.order_id }
  if (kind === 'failed' && outcome === 'noted') {
    const reason = refusalIn(report.raw)
    const data = { ...payment, personal: reason === null ? null : { reason } }
    await sendEvent(core, { ...subject, kind: 'payment-failed', data })
  } else {
    const data = { ...payment, reported: kind, outcome, source }
    await sendEvent(core, { ...subject, kind: 'payment-noted', data })
  }
  return outcome
}

async function applyPayment(core: Core, stored: StoredReport, isPayment: boolean): Promise<EventOutcome> {
  const { report, attempt, outcome } = stored
  const { transactionId } = report
  if (report.kind === 'succeeded') return applySuccess(core, stored)
  if (isReversalOfPayment(report, outcome)) {
    const paid = await applyPaymentOfReversal(core, stored, isPayment)
    // After a complete reversal `applySuccess` has already marked the order as refunded.
    if (outcome === 'applied' && (paid === 'applied' || paid === 'order-cancelled')) {
      await finishRefundWithin(core, transactionId)
      return 'applied'
    }
  }
  if (outcome !== 'applied') return note(core, stored, outcome)
  await finishRefundWithin(core, transactionId)
  if (await markReturned(core, stored)) return 'applied'
  // The money was returned although its refund was written off.
  const late = report.isChild
    ? undefined
    : await storeReturned(core, stored, report.amountHalalas, 'operator')
  if (late) await settle(core, { ...late, order_id: attempt.order_id })
  return note(core, stored, 'noted')
}

/** @returns the outcome of the payment that the reversal proves; undefined when it proves none */
async function applyPaymentOfReversal(core: Core, stored: StoredReport, isPayment: boolean) {
  const { report, attempt } = stored
  const { transactionId } = report
  if (!isExactAmount(report, attempt.amount_halalas)) {
    // The payment of a wrong amount was possibly never reported. With this refund the owner sees that the money was
    // returned.
    await orderRefund(core, stored, 'wrong-amount')
    return undefined
  }
  if (!isPayment) {
    // The amount is exact, so an earlier report with another amount was wrong.
    await withdrawRefund(core, transactionId)
    return undefined
  }
  const paid = await applySuccess(core, { ...stored, kind: 'succeeded', outcome: 'applied' })
  if (paid !== 'applied') await setEventOutcome(core, transactionId, 'succeeded', paid)
  return paid
}

/** Call it only when the whole payment was returned. @returns false when another payment paid the order */
async function markReturned(core: Core, stored: StoredReport) {
  const { report, attempt } = stored
  const { order_id: orderId } = attempt
  const before = await findPayable(core, orderId)
  if (!(await markRefunded(core, orderId, report.transactionId))) return false
  const isCancelled = before?.ended === 'cancelled'
  await storeReturned(core, stored, attempt.amount_halalas, isCancelled ? 'cancelled' : 'operator')
  await correctReceipt(core, orderId, report.transactionId, 'whole', isCancelled ? 'cancelled' : undefined)
  await writeMessagesLater(core, 'refunded', { orderId }, { returned: 'order' })
  return true
}

const storeReturned = (
  core: Core,
  { report, attempt }: StoredReport,
  returned: number,
  reason: RefundReason,
): Promise<RefundRow | undefined> =>
  recordReturned(
    core,
    {
      transaction_id: report.transactionId,
      attempt_id: attempt.id,
      currency: report.currency,
      reason,
    },
    returned,
    core.clock.now(),
  )

async function applySuccess(core: Core, stored: StoredReport): Promise<EventOutcome> {
  const { report, attempt, outcome, isReturned } = stored
  const { id: attemptId, order_id: orderId } = attempt
  if (outcome === 'amount-mismatch') {
    await note(core, stored, outcome)
    // When the money is already returned, the refund worker closes this refund without a request.
    await orderRefund(core, stored, 'wrong-amount')
    // The provider accepts no second payment for an intention that it counts as paid.
    await moveAttempt(core, attemptId, ['open', 'unknown'], 'superseded')
    return outcome
  }
  // An earlier report of another amount can have ordered a refund. When that refund was possibly requested, this
  // payment must not pay the order.
  const [isFree, order] = await Promise.all([
    withdrawRefund(core, report.transactionId),
    findPayable(core, orderId),
  ])
  if (!isFree) return note(core, stored, 'amount-mismatch')
  if (outcome !== 'applied') return note(core, stored, outcome)
  const [owner] = await Promise.all([
    order && lockUser(core, order.userId),
    moveAttempt(core, attemptId, ['open', 'unknown', 'superseded'], 'succeeded'),
  ])
  if (!owner) return sendBack(core, stored, 'owner-deleted')
  if (await markPaid(core, orderId, report.transactionId)) {
    await recordPaid(core, stored, { notifiesOwner: true })
    // The refund was reported before the payment, so no shipment must start.
    if (isReturned) await markReturned(core, stored)
    return 'applied'
  }
  // docs/wires/payment.md R17: the order was cancelled before, so the whole payment is refunded.
  if (await markPaidLate(core, orderId, report.transactionId)) {
    await recordPaid(core, stored)
    if (isReturned) await markReturned(core, stored)
    else await orderRefund(core, stored, 'cancelled')
    return 'order-cancelled'
  }
  // docs/wires/payment.md R18: the first payment pays the order, this one is refunded.
  return sendBack(core, stored, 'second-payment')
}

async function recordPaid(core: Core, stored: StoredReport, effects?: Effects) {
  const { report, attempt } = stored
  const orderId = attempt.order_id
  await sendEvent(core, { kind: 'paid', data: paidWith(report), by: provider, orderId }, effects)
  await issueReceipt(core, paymentOf(stored))
}

async function sendBack<Reason extends NoPayment & EventOutcome>(
  core: Core,
  stored: StoredReport,
  reason: Reason,
): Promise<Reason> {
  await note(core, stored, reason)
  if (stored.isReturned) {
    await storeReturned(core, stored, stored.report.amountHalalas, reason)
    await receiptReturned(core, paymentOf(stored), reason)
  } else await orderRefund(core, stored, reason)
  return reason
}

export const finishRefund = (
  core: Core,
  { attempt_id: attemptId, transaction_id: transactionId }: Pick<RefundRow, 'transaction_id' | 'attempt_id'>,
): Promise<void> =>
  core.database.transaction(async () => {
    await lockAttempt(core, attemptId)
    await finishRefundWithin(core, transactionId)
  })

async function finishRefundWithin(core: Core, transactionId: string) {
  const refund = await markRefundDone(core, transactionId)
  if (refund) await settle(core, refund)
}

async function settle(core: Core, refund: RefundOfOrder) {
  const { transaction_id: transactionId, order_id: orderId, reason } = refund
  // A payment that paid its order already has a receipt, which is corrected with the order. Receipts exist in our
  // currency only.
  if (reason === 'cancelled' || reason === 'operator' || refund.currency !== currency) return
  // The receipt shows the whole payment, also when a part was returned before.
  const amountHalalas = await sumReturned(core, 'transaction_id', transactionId)
  await receiptReturned(core, { orderId, transactionId, amountHalalas }, reason)
}

async function orderRefund(core: Core, { report, attempt }: StoredReport, reason: RefundReason) {
  const { transactionId, amountHalalas } = report
  // A refund of 0 is impossible, so an earlier refund of another amount is withdrawn.
  if (amountHalalas === 0) {
    await withdrawRefund(core, transactionId)
    return
  }
  const refund = {
    transaction_id: transactionId,
    attempt_id: attempt.id,
    captured: amountHalalas,
    currency: report.currency,
    reason,
    by: await findDecider(core, reason, attempt.order_id),
  }
  await addRefund(core, refund, core.clock.now())
}

async function findDecider(core: Core, reason: RefundReason, orderId: number): Promise<Actor> {
  if (reason === 'owner-deleted') return { kind: 'owner' }
  if (reason !== 'cancelled') return { kind: 'system' }
  const events = await listEvents(core, 'order_id', [orderId])
  return events.findLast(({ kind }) => kind === 'order-cancelled')?.by ?? { kind: 'system' }
}
