import type { Core } from '#server/core.ts'
import { type Actor, listEvents, recordEvent } from '#server/features/history/history.ts'
import { type Effects, writeMessagesLater } from '#server/features/history/outbox.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { ReceiptsService } from '#server/features/receipts/receipts.feature.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { EventKind, EventOutcome, RefundReason } from '#shared/payments/payments.schemas.ts'
import { currency } from '#shared/platform/money.ts'
import type { AttemptRow } from './attempts.store.ts'
import { classify, isReversalOfPayment, isReversed, isSameReport, provesPayment } from './outcomes.rules.ts'
import type { PaymentProvider } from './payments.provider.ts'
import { attemptRules, isExactAmount, type PaymentReport, refusalIn } from './payments.rules.ts'
import type { PaymentsStore } from './payments.store.ts'
import type { RefundRow } from './refunds.store.ts'

/** Why a payment paid for nothing. */
type NoPayment = Exclude<RefundReason, 'cancelled' | 'operator'>

/** What payments are built from. */
export interface PaymentsDeps extends Pick<Core, 'database' | 'clock' | 'log' | 'metrics'> {
  readonly store: PaymentsStore
  readonly provider: PaymentProvider
  readonly orders: OrdersService
  readonly users: Pick<UsersService, 'lockUser'>
  readonly receipts: Pick<ReceiptsService, 'issueReceipt' | 'correctReceipt' | 'receiptReturned'>
  readonly publicKey: string
  /** Aborts at the end of the time in which a payment that is opened now has to be open (`attemptRules.openingMs`). */
  readonly openingTime: () => AbortSignal
  /** Called after an order was paid and that is durable. */
  readonly onPaid: () => void
  /** Called after an inquiry was made due out of turn. */
  readonly onInquiryDue: () => void
}

/** The others are logged as errors. */
const ordinaryOutcomes: readonly (EventOutcome | 'repeated')[] = [
  'applied',
  'noted',
  'repeated',
  'order-cancelled',
]

type ReportSource = 'callback' | 'inquiry'

/**
 * A child transaction changes nothing by itself: its payment is read. So is one of which a callback says that a part was
 * returned, because the returned amount is not among the signed fields.
 */
const needsInquiry = (report: PaymentReport, source: ReportSource, outcome: EventOutcome) =>
  report.isChild || (source === 'callback' && outcome === 'partial-refund')

/** A report that is stored, before its effects. */
interface StoredReport {
  /** As far as it follows from the attempt alone. */
  readonly outcome: EventOutcome
  /** The provider has reported a reversal of the payment. */
  readonly isReturned: boolean
  /** Records a report that makes no step, unless it was recorded before; returns its outcome. */
  readonly note: (outcome: EventOutcome, kind?: EventKind) => Promise<EventOutcome>
}

const provider: Actor = { kind: 'provider' }

const paidWith = ({ transactionId, amountHalalas, currency: ofReport }: PaymentReport) => ({
  transaction: transactionId,
  halalas: amountHalalas,
  currency: ofReport,
})

export type Outcomes = ReturnType<typeof createOutcomes>

/** Applies what the provider reports about transactions to attempts, refunds and orders. */
export function createOutcomes(deps: PaymentsDeps) {
  const { database, store, orders, receipts, clock, log } = deps
  const dropped = deps.metrics.counter(
    'amtiati_payment_fields_dropped_total',
    'Unsigned fields of the payment provider that could not be read and are treated as absent.',
    ['field'],
  )
  const paidOrders = deps.metrics.counter('amtiati_orders_paid_total', 'Orders that were paid.', [])
  const refundedOrders = deps.metrics.counter(
    'amtiati_orders_refunded_total',
    'Paid orders whose money went back.',
    [],
  )

  /**
   * The only way a report takes effect, from callbacks and inquiries alike: an event and its effects are stored together
   * or not at all, and one event takes effect at most once. `repeated`: the event is stored already.
   */
  async function apply(report: PaymentReport, source: ReportSource): Promise<EventOutcome | 'repeated'> {
    for (const field of report.dropped) dropped.inc({ field })
    const attempt = await store.findByProviderOrder(report.providerOrderId)
    const { outcome, isPayment } = await database.transaction(() => record(report, source, attempt))
    if (outcome !== 'repeated' && needsInquiry(report, source, outcome)) deps.onInquiryDue()
    const isPaid = outcome === 'applied' && report.kind === 'succeeded'
    if (isPaid) paidOrders.inc()
    const isReversal = report.kind === 'refunded' || report.kind === 'voided'
    if (outcome === 'applied' && isReversal) refundedOrders.inc()
    if (isPayment || isPaid) deps.onPaid()
    const line = {
      event: 'payments.reported',
      source,
      outcome,
      kind: report.kind,
      transactionId: report.transactionId,
      orderId: attempt?.order_id,
    }
    if (ordinaryOutcomes.includes(outcome)) log.info(line)
    else log.error({ ...line, amountHalalas: report.amountHalalas })
    return outcome
  }

  /** Inside a transaction. `isPayment`: the report of a reversal was the first one of its payment. */
  async function record(
    report: PaymentReport,
    source: ReportSource,
    attempt: AttemptRow | undefined,
  ): Promise<{ outcome: EventOutcome | 'repeated'; isPayment: boolean }> {
    // The payment and the refund of one transaction may be reported at once: the second one must see the first.
    if (attempt) await store.lockAttempt(attempt.id)
    const known = attempt ? await store.listEvents(report.transactionId) : []
    const outcome = classify(report, attempt)
    const event = {
      transaction_id: report.transactionId,
      kind: report.kind,
      attempt_id: attempt?.id ?? null,
      source,
      outcome,
      amount_halalas: report.amountHalalas,
      currency: report.currency,
      body: JSON.stringify(report.raw),
      received_at: clock.now(),
    }
    if (!(await store.addEvent(event))) return { outcome: 'repeated', isPayment: false }
    // A returned payment was paid before. Its success is stored, too, so that a later report of it counts as repeated.
    const payment = { ...event, kind: 'succeeded', outcome: 'applied' } as const
    const isPayment =
      attempt !== undefined &&
      provesPayment(report, attempt.amount_halalas, outcome) &&
      (await store.addEvent(payment))
    const stored = {
      outcome,
      isReturned: isReversed([...known.filter(({ kind }) => kind !== report.kind), event]),
      async note(noted: EventOutcome, kind = report.kind) {
        const isKnown = known.some((earlier) => isSameReport(earlier, { ...event, kind, outcome: noted }))
        if (attempt && !isKnown) await recordReport(report, attempt, { kind, outcome: noted, source })
        return noted
      },
    }
    const applied = attempt ? await applyPayment(report, attempt, stored, isPayment) : outcome
    if (attempt && needsInquiry(report, source, applied))
      await store.hastenInquiry(attempt.id, attemptRules.inquiryGapMs)
    if (attempt && applied === 'partial-refund' && source === 'inquiry' && !report.isChild) {
      const { refundedHalalas: returned } = report
      if (typeof returned === 'number') {
        await recordReturned(report, attempt, returned, 'operator')
        await receipts.correctReceipt(attempt.order_id, report.transactionId, returned)
      }
    }
    if (applied !== outcome) await store.setOutcome(report.transactionId, report.kind, applied)
    return { outcome: applied, isPayment }
  }

  async function recordReport(
    report: PaymentReport,
    { order_id: orderId }: AttemptRow,
    { kind, outcome, source }: { kind: EventKind; outcome: EventOutcome; source: ReportSource },
  ): Promise<void> {
    const payment = paidWith(report)
    if (kind === 'failed' && outcome === 'noted') {
      const reason = refusalIn(report.raw)
      const data = { ...payment, personal: reason === null ? null : { reason } }
      await recordEvent(deps, { kind: 'payment-failed', data, by: provider, orderId })
      return
    }
    const data = { ...payment, reported: kind, outcome, source }
    await recordEvent(deps, { kind: 'payment-noted', data, by: provider, orderId })
  }

  /** The effects of an event that is new or classified again; returns its final outcome. */
  async function applyPayment(
    report: PaymentReport,
    attempt: AttemptRow,
    stored: StoredReport,
    isPayment: boolean,
  ): Promise<EventOutcome> {
    const { outcome, note } = stored
    if (report.kind === 'succeeded') return applySuccess(report, attempt, stored)
    if (isReversalOfPayment(report, outcome)) {
      // A wrong amount whose payment was never reported: the stored refund shows the owner that it was returned.
      if (!isExactAmount(report, attempt.amount_halalas)) await orderRefund(report, attempt, 'wrong-amount')
      else if (isPayment) {
        const paid = await applySuccess(report, attempt, {
          outcome: 'applied',
          isReturned: stored.isReturned,
          note: (noted) => note(noted, 'succeeded'),
        })
        if (paid !== 'applied') await store.setOutcome(report.transactionId, 'succeeded', paid)
        // A whole reversal has marked the order as refunded in the same step.
        if (outcome === 'applied' && (paid === 'applied' || paid === 'order-cancelled')) {
          await finishRefund(report.transactionId)
          return 'applied'
        }
      }
      // The amount is exact, so an earlier report of another amount was wrong.
      else await store.withdrawRefund(report.transactionId)
    }
    if (outcome !== 'applied') return note(outcome)
    // A refund ordered here is done once the provider itself reports it.
    await finishRefund(report.transactionId)
    if (await markReturned(report, attempt)) return 'applied'
    // It came back although its refund was written off.
    const late = report.isChild
      ? undefined
      : await recordReturned(report, attempt, report.amountHalalas, 'operator')
    if (late) await settle({ ...late, order_id: attempt.order_id })
    return note('noted')
  }

  /** Stores that the whole payment of an order went back. Returns false where another payment paid the order. */
  async function markReturned(report: PaymentReport, attempt: AttemptRow): Promise<boolean> {
    const { order_id: orderId } = attempt
    const before = await orders.findPayable(orderId)
    if (!(await orders.markRefunded(orderId, report.transactionId))) return false
    const isCancelled = before?.ended === 'cancelled'
    await recordReturned(report, attempt, attempt.amount_halalas, isCancelled ? 'cancelled' : 'operator')
    await receipts.correctReceipt(
      orderId,
      report.transactionId,
      'whole',
      isCancelled ? 'cancelled' : undefined,
    )
    await writeMessagesLater(deps, 'refunded', { orderId }, { returned: 'order' })
    return true
  }

  const recordReturned = (
    { transactionId, currency: ofReport }: PaymentReport,
    attempt: AttemptRow,
    returned: number,
    reason: RefundReason,
  ) =>
    store.recordReturned(
      { transaction_id: transactionId, attempt_id: attempt.id, currency: ofReport, reason },
      returned,
      clock.now(),
    )

  async function applySuccess(
    report: PaymentReport,
    attempt: AttemptRow,
    { outcome, isReturned, note }: StoredReport,
  ): Promise<EventOutcome> {
    if (outcome === 'amount-mismatch') {
      await note(outcome)
      // Also where it is reported as returned already: the refund worker verifies and finishes it.
      await orderRefund(report, attempt, 'wrong-amount')
      // The provider takes no second payment on an intention it counts as paid.
      await store.moveAttempt(attempt.id, ['open', 'unknown'], 'superseded')
      return outcome
    }
    // If the refund ordered by an earlier report of another amount may have been requested, this payment pays nothing.
    if (!(await store.withdrawRefund(report.transactionId))) return note('amount-mismatch')
    if (outcome !== 'applied') return note(outcome)
    await store.moveAttempt(attempt.id, ['open', 'unknown', 'superseded'], 'succeeded')
    // The account was deleted: the order stays as it is, and the payment is refunded.
    const order = await orders.findPayable(attempt.order_id)
    if (!order || !(await deps.users.lockUser(order.userId))) {
      await note('owner-deleted')
      await sendBack(report, attempt, 'owner-deleted', isReturned)
      return 'owner-deleted'
    }
    if (await orders.markPaid(attempt.order_id, report.transactionId)) {
      await recordPaid(report, attempt, { notifiesOwner: true })
      await receipts.issueReceipt(paymentOf(report, attempt))
      // The report of the refund overtook the report of the payment: the bookings must not start.
      if (isReturned) await markReturned(report, attempt)
      return 'applied'
    }
    // docs/wires/payment.md R17: it was cancelled, so the money goes back whole, and then the order is refunded.
    if (await orders.markPaidLate(attempt.order_id, report.transactionId)) {
      await recordPaid(report, attempt)
      await receipts.issueReceipt(paymentOf(report, attempt))
      if (isReturned) await markReturned(report, attempt)
      else await orderRefund(report, attempt, 'cancelled')
      return 'order-cancelled'
    }
    // docs/wires/payment.md R18: the first payment stands; this one is refunded, unless it has been returned already.
    await note('second-payment')
    await sendBack(report, attempt, 'second-payment', isReturned)
    return 'second-payment'
  }

  async function recordPaid(
    report: PaymentReport,
    { order_id: orderId }: AttemptRow,
    effects: Effects = {},
  ): Promise<void> {
    await recordEvent(deps, { kind: 'paid', data: paidWith(report), by: provider, orderId }, effects)
  }

  /** Orders the refund of a payment that pays for nothing, unless it has been returned already. */
  async function sendBack(
    report: PaymentReport,
    attempt: AttemptRow,
    reason: NoPayment,
    isReturned: boolean,
  ): Promise<void> {
    if (!isReturned) return orderRefund(report, attempt, reason)
    await recordReturned(report, attempt, report.amountHalalas, reason)
    await receipts.receiptReturned(paymentOf(report, attempt), reason)
  }

  /** Inside a transaction: takes the refund of a transaction as done, if there is one that is not. */
  async function finishRefund(transactionId: string): Promise<void> {
    const refund = await store.finishRefund(transactionId)
    if (refund) await settle(refund)
  }

  /** Issues the receipt of a payment that paid for nothing. */
  async function settle(refund: RefundRow & { readonly order_id: number }): Promise<void> {
    const { transaction_id: transactionId, order_id: orderId, reason } = refund
    // A payment that paid its order has a receipt, which is corrected with the order. Receipts are in our currency.
    if (reason === 'cancelled' || reason === 'operator' || refund.currency !== currency) return
    // The whole payment, also where a part went back before.
    const amountHalalas = await store.sumReturned('transaction_id', transactionId)
    await receipts.receiptReturned({ orderId, transactionId, amountHalalas }, reason)
  }

  async function orderRefund(
    report: PaymentReport,
    attempt: AttemptRow,
    reason: RefundReason,
  ): Promise<void> {
    // Zero cannot be refunded: withdraw the refund that a report of another amount may have ordered.
    if (report.amountHalalas === 0) {
      await store.withdrawRefund(report.transactionId)
      return
    }
    await store.addRefund(
      {
        transaction_id: report.transactionId,
        attempt_id: attempt.id,
        captured: report.amountHalalas,
        currency: report.currency,
        reason,
        by: await deciderOf(reason, attempt.order_id),
      },
      clock.now(),
    )
  }

  /** Who decided that such a payment goes back: its owner, who cancelled the order, or the system. */
  async function deciderOf(reason: RefundReason, orderId: number): Promise<Actor> {
    if (reason === 'owner-deleted') return { kind: 'owner' }
    if (reason !== 'cancelled') return { kind: 'system' }
    const events = await listEvents(deps, 'order_id', [orderId])
    return events.findLast(({ kind }) => kind === 'order-cancelled')?.by ?? { kind: 'system' }
  }

  return {
    apply,
    /** Takes the refund of a transaction as done, because the provider shows it. */
    finishRefund: (refund: Pick<RefundRow, 'transaction_id' | 'attempt_id'>) =>
      database.transaction(async () => {
        await store.lockAttempt(refund.attempt_id)
        await finishRefund(refund.transaction_id)
      }),
  }
}

const paymentOf = (report: PaymentReport, attempt: AttemptRow) => ({
  orderId: attempt.order_id,
  transactionId: report.transactionId,
  amountHalalas: report.amountHalalas,
})
