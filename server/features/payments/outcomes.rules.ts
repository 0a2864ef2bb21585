import type { EventKind, EventOutcome } from '#shared/payments/payments.schemas.ts'
import { isExactAmount, type PaymentReport, returnOf, unresolvedOutcomes } from './payments.rules.ts'

interface ExpectedPayment {
  readonly reference: string
  readonly amount_halalas: number
}

/** The outcome must not depend on the order's state. */
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

export function isReversalOfPayment(report: PaymentReport, outcome: EventOutcome): boolean {
  return (
    (report.kind === 'refunded' || report.kind === 'voided') &&
    !report.isChild &&
    (outcome === 'applied' || outcome === 'partial-refund')
  )
}

export function provesPayment(
  report: PaymentReport,
  expectedHalalas: number,
  outcome: EventOutcome,
): boolean {
  return (
    isReversalOfPayment(report, outcome) &&
    isExactAmount(report, expectedHalalas) &&
    // `unclear`: the whole amount was possibly returned, so the bag must not be shipped.
    returnOf(report) !== 'unclear'
  )
}

/** Ignores unresolved events, so that reports can arrive in any order. */
export function isReversed(events: readonly { kind: string; outcome: EventOutcome }[]): boolean {
  return events.some(
    ({ kind, outcome }) =>
      (kind === 'refunded' || kind === 'voided') && !unresolvedOutcomes.includes(outcome),
  )
}
