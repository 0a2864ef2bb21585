import type { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { AttemptRow } from './attempts.queries.ts'
import type { EventRow } from './payment-events.queries.ts'
import type { PaymentRecords } from './payments.queries.ts'
import type { RefundRow } from './refunds.queries.ts'

export function paymentExportsOf({
  attempts,
  events,
  refunds,
}: PaymentRecords): ReadonlyMap<number, PaymentExport[]> {
  const eventsOf = Map.groupBy(events, (event) => event.attempt_id)
  const refundsOf = Map.groupBy(refunds, (refund) => refund.attempt_id)
  return new Map(
    [...Map.groupBy(attempts, (attempt) => attempt.order_id)].map(([orderId, own]) => [
      orderId,
      own.map((attempt) =>
        paymentExportOf(attempt, eventsOf.get(attempt.id) ?? [], refundsOf.get(attempt.id) ?? []),
      ),
    ]),
  )
}

function paymentExportOf(
  attempt: AttemptRow,
  events: readonly EventRow[],
  refunds: readonly RefundRow[],
): PaymentExport {
  return {
    reference: attempt.reference,
    state: attempt.state,
    amountHalalas: attempt.amount_halalas,
    currency: attempt.currency,
    startedAt: isoOf(attempt.created_at),
    events: events.map((event) => ({
      transactionId: event.transaction_id,
      kind: event.kind,
      source: event.source,
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
      currency: refund.currency,
      orderedAt: isoOf(refund.created_at),
      doneAt: refund.done_at === null || refund.written_off_at !== null ? null : isoOf(refund.done_at),
      ...(refund.written_off_at !== null && { writtenOffAt: isoOf(refund.written_off_at) }),
    })),
  }
}
