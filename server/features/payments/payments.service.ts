import type { RefundSummary } from '#server/features/orders/orders.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Metrics, oncePerScrape } from '#server/platform/metrics.ts'
import type { OrderRefund } from '#shared/orders/orders.schemas.ts'
import type { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { refundStates } from '#shared/payments/payments.schemas.ts'
import { currency, riyalsOf } from '#shared/platform/money.ts'
import { createCallbacks } from './callbacks.service.ts'
import { createCancellations } from './cancellations.service.ts'
import { createInquiries } from './inquiries.service.ts'
import { createIntentions } from './intentions.service.ts'
import { createOutcomes, type PaymentsDeps } from './outcomes.service.ts'
import { paymentExportsOf } from './payment-export.map.ts'
import { blocksPayment, isLost, liveStates, type PaymentReport, refundRules } from './payments.rules.ts'
import type { PaymentsStore } from './payments.store.ts'
import type { RefundRow } from './refunds.store.ts'

/** What the desk and operators read and change of an order's payments. */
export type PaymentActs = Pick<
  PaymentsStore,
  | 'lockAttempts'
  | 'listOfOrders'
  | 'listRefunds'
  | 'listRefundsOf'
  | 'refundPayment'
  | 'hastenRefund'
  | 'hastenInquiry'
  | 'mayWriteOff'
  | 'writeOffRefund'
>

export type PaymentsService = ReturnType<typeof createPayments>

/** Payments of orders: opening them, applying what the provider reports, and refunds. */
export function createPayments(deps: PaymentsDeps) {
  const { store } = deps
  registerGauges(deps)
  const outcomes = createOutcomes(deps)
  const inquiries = createInquiries(deps, outcomes)

  return {
    ...inquiries,
    ...createIntentions(deps, inquiries),
    ...createCallbacks(deps, outcomes),
    ...createCancellations(deps),
    finishRefund: outcomes.finishRefund,

    /** Applies what the provider itself answered about a transaction. */
    async applyReport(report: PaymentReport): Promise<void> {
      await outcomes.apply(report, 'inquiry')
    },

    /** The order of a merchant reference. */
    async findOrderId(reference: string): Promise<number | undefined> {
      return (await store.findByReference(reference))?.order_id
    },

    /** The money that a refund and the earlier ones of its transaction have returned, in minor units. */
    async readReturned(refundId: number): Promise<{ amount: number; currency: string } | undefined> {
      const row = await store.findRefundById(refundId)
      return (
        row && {
          amount: await store.sumReturned('transaction_id', row.transaction_id),
          currency: row.currency,
        }
      )
    },

    /** What the desk and operators read and change of an order's payments; also without this service, on the store. */
    acts: store as PaymentActs,

    // The next two forward: the account feature may depend on this service, not on its store.

    /** True while a refund of one of the orders is not done, or one of their payments is held for an operator. */
    hasUnsettled: store.hasUnsettled,

    /** Clears the client secrets of the orders' payments; the record of the payments stays. */
    eraseOrders: store.clearSecrets,

    /** What is stored of the payments of the orders, by order. */
    async exportPayments(orderIds: readonly number[]): Promise<ReadonlyMap<number, PaymentExport[]>> {
      return paymentExportsOf(await store.listOfOrders(orderIds))
    },
  }
}

const openRefundStates = refundStates.filter((state) => state !== 'done')

/** Gauges of attempts and refunds. */
function registerGauges({
  store,
  clock,
  metrics,
}: {
  readonly store: PaymentsStore
  readonly clock: Clock
  readonly metrics: Metrics
}): void {
  metrics.gaugeBy(
    'amtiati_payment_attempts',
    'Payment attempts that are not ended, by state.',
    'state',
    liveStates,
    async () => {
      const counts = await store.countLive()
      return new Map(liveStates.map((state) => [state, counts.get(state) ?? 0]))
    },
  )
  const readRefunds = oncePerScrape(store.countOpenRefunds)
  const openRefunds = (what: 'count' | 'halalas') => async () => {
    const counts = await readRefunds()
    return new Map(openRefundStates.map((state) => [state, counts.get(state)?.[what] ?? 0]))
  }
  metrics.gaugeBy(
    'amtiati_refunds',
    'Refunds that are not done, by state.',
    'state',
    openRefundStates,
    openRefunds('count'),
  )
  metrics.gaugeBy(
    'amtiati_refunds_halalas',
    'Money of the refunds that are not done, by state, without other currencies than ours.',
    'state',
    openRefundStates,
    openRefunds('halalas'),
  )
  metrics.gauge(
    'amtiati_refunds_needing_help',
    `Refunds not done ${refundRules.helpAfterMs / 3_600_000} hours after they were ordered.`,
    () => store.countOverdueRefunds(clock.now() - refundRules.helpAfterMs),
  )
  metrics.queue('refunds', clock, store.readOpenRefunds)
  metrics.queue('inquiries', clock, () => store.readDueInquiries())
}

/** What the refunds of orders mean to a reader of the order; refunds for a deleted account have no reader. */
export function summarizeRefunds(
  refunds: Awaited<ReturnType<PaymentsStore['listRefunds']>>,
  now: number,
): ReadonlyMap<number, RefundSummary> {
  const ofOrder = Map.groupBy(refunds, (refund) => refund.order_id)
  return new Map(
    [...ofOrder].map(([orderId, own]) => {
      const shown = own.filter((row) => row.reason !== 'owner-deleted' && row.written_off_at === null)
      const refund = shown.findLast(({ state }) => state !== 'done') ?? shown.at(-1)
      const writtenOff = own.findLast((row) => isLost(row, own))
      return [
        orderId,
        {
          blocksPayment: blocksPayment(own),
          refund: refund && orderRefundOf({ ...refund, amount_halalas: sumWith(refund, shown) }, now),
          writtenOff: writtenOff && { ...orderRefundOf(writtenOff, now), state: 'needs-help' },
        },
      ]
    }),
  )
}

/** The sum that is shown of a refund: with the earlier parts, where a payment went back in parts. */
const sumWith = (refund: RefundRow, shown: readonly RefundRow[]): number =>
  refund.state !== 'done'
    ? refund.amount_halalas
    : shown
        .filter((row) => row.transaction_id === refund.transaction_id)
        .reduce((sum, row) => sum + row.amount_halalas, 0)

function orderRefundOf(refund: RefundRow, now: number): OrderRefund {
  const isLate = now - refund.created_at >= refundRules.helpAfterMs
  return {
    state: refund.state === 'done' ? 'done' : isLate ? 'needs-help' : 'pending',
    amount: riyalsOf(refund.amount_halalas),
    ...(refund.currency === currency ? {} : { currency: refund.currency }),
    reason: refund.reason === 'owner-deleted' ? 'operator' : refund.reason,
  }
}
