import type { Core } from '#server/core.ts'
import type { RefundSummary } from '#server/features/orders/orders.rules.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { OrderRefund } from '#shared/orders/orders.schemas.ts'
import type { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { currency, riyalsOf } from '#shared/platform/money.ts'
import { findAttemptByReference } from './attempts.queries.ts'
import { paymentExportsOf } from './payment-export.map.ts'
import { listPaymentsOfOrders } from './payments.queries.ts'
import { blocksPayment, isLost, refundRules } from './payments.rules.ts'
import {
  findRefund,
  listRefunds,
  type RefundOfOrder,
  type RefundRow,
  sumReturned,
} from './refunds.queries.ts'

export const findOrderOfPayment = async (core: QueryCore, reference: string): Promise<number | undefined> =>
  (await findAttemptByReference(core, reference))?.order_id

/** Returns the total, in minor units, that was returned of the refund's payment. */
export async function readReturnedAmount(
  core: QueryCore,
  refundId: number,
): Promise<{ amount: number; currency: string } | undefined> {
  const row = await findRefund(core, refundId)
  return (
    row && {
      amount: await sumReturned(core, 'transaction_id', row.transaction_id),
      currency: row.currency,
    }
  )
}

export const exportPayments = async (
  core: QueryCore,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, PaymentExport[]>> =>
  paymentExportsOf(await listPaymentsOfOrders(core, orderIds))

export async function findRefundSummaries(
  core: Core,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, RefundSummary>> {
  const now = core.clock.now()
  const byOrder = Map.groupBy(await listRefunds(core, orderIds), (refund) => refund.order_id)
  return new Map([...byOrder].map(([orderId, own]) => [orderId, summaryOf(own, now)]))
}

function summaryOf(refunds: readonly RefundOfOrder[], now: number): RefundSummary {
  const shown = refunds.filter((row) => row.reason !== 'owner-deleted' && row.written_off_at === null)
  const refund = shown.findLast(({ state }) => state !== 'done') ?? shown.at(-1)
  const writtenOff = refunds.findLast((row) => isLost(row, refunds))
  return {
    blocksPayment: blocksPayment(refunds),
    refund: refund && orderRefundOf({ ...refund, amount_halalas: sumWith(refund, shown) }, now),
    writtenOff: writtenOff && { ...orderRefundOf(writtenOff, now), state: 'needs-help' },
  }
}

/** A refund that is done includes earlier refunds of the same payment. */
const sumWith = (refund: RefundRow, shown: readonly RefundRow[]) =>
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
    ...(refund.currency !== currency && { currency: refund.currency }),
    reason: refund.reason === 'owner-deleted' ? 'operator' : refund.reason,
  }
}
