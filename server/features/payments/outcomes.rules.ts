import type { EventKind, EventOutcome } from '#shared/payments/payments.schemas.ts'
import { isExactAmount, type PaymentReport, returnOf, unresolvedOutcomes } from './payments.rules.ts'

interface ExpectedPayment {
  readonly reference: string
  readonly amount_halalas: number
}

/**
 * Decides the outcome of a report by the report and its attempt only.
 * @param attempt undefined when the order is unknown
 */
export function classify(report: PaymentReport, attempt: ExpectedPayment | undefined): EventOutcome {
  if (!attempt) return 'unknown-order'
  if (report.merchantReference !== null && report.merchantReference !== attempt.reference)
    return 'reference-mismatch'
  if (report.kind === 'pending' || report.kind === 'failed' || report.kind === 'captured') return 'noted'
  if (report.kind === 'succeeded' && !isExactAmount(report, attempt.amount_halalas)) return 'amount-mismatch'
  const returned = returnOf(report)
  return returned === 'part' || returned === 'unclear' ? 'partial-refund' : 'applied'
}

interface KnownReport {
  readonly kind: EventKind
  readonly outcome: EventOutcome
  readonly amount_halalas: number
  readonly currency: string
}

export const isSameReport = (one: KnownReport, other: KnownReport): boolean =>
  one.kind === other.kind &&
  one.outcome === other.outcome &&
  one.amount_halalas === other.amount_halalas &&
  one.currency === other.currency

/** True when the report is about the payment that was reversed, not about the child transaction of the reversal. */
export function isReversalOfPayment(report: PaymentReport, outcome: EventOutcome): boolean {
  return (
    (report.kind === 'refunded' || report.kind === 'voided') &&
    !report.isChild &&
    (outcome === 'applied' || outcome === 'partial-refund')
  )
}

/** True when the report proves that the payment had succeeded with the exact amount before it was reversed. */
export function provesPayment(
  report: PaymentReport,
  expectedHalalas: number,
  outcome: EventOutcome,
): boolean {
  return (
    isReversalOfPayment(report, outcome) &&
    isExactAmount(report, expectedHalalas) &&
    // With `unclear` the whole amount may have been returned, so the bag must not be shipped.
    returnOf(report) !== 'unclear'
  )
}

/** Unresolved events do not count, because the result must not depend on the order in which reports arrive. */
export function isReversed(events: readonly { kind: string; outcome: EventOutcome }[]): boolean {
  return events.some(
    ({ kind, outcome }) =>
      (kind === 'refunded' || kind === 'voided') && !unresolvedOutcomes.includes(outcome),
  )
}
