import { refundHelpAfterMs } from '#shared/payments/payments.rules.ts'
import type {
  AttemptState,
  EventKind,
  EventOutcome,
  RefundReason,
  RefundState,
} from '#shared/payments/payments.schemas.ts'
import { currency } from '#shared/platform/money.ts'

/** An order has at most one attempt in these states. */
export const liveStates = ['creating', 'open', 'unknown'] as const

/** An ended attempt has neither a payment nor a pending answer. */
export const endedStates: readonly AttemptState[] = ['superseded', 'failed']

/** A report in our terms. The provider flags partial refunds as `refunded` too. */
export interface PaymentReport {
  readonly transactionId: string
  readonly kind: EventKind
  /** A refund, void or capture that the provider stores as a child transaction of its payment. Signed. */
  readonly isChild: boolean
  /** The only key that the signature covers. */
  readonly providerOrderId: number
  /** The reference is not signed; it must agree when it is present (docs/wires/payment.md R6). */
  readonly merchantReference: string | null
  readonly amountHalalas: number
  readonly currency: string
  /** The provider counts this as paid on the whole order; null when it does not say. The field is not signed. */
  readonly orderPaidHalalas: number | null
  /** Null when the provider does not say. The field is not signed. */
  readonly refundedHalalas: number | 'unreadable' | null
  /** The stored part does not identify the payer. */
  readonly raw: unknown
  readonly dropped: readonly string[]
}

/**
 * They rest on unsigned fields, or on incomplete knowledge. A later event of the same transaction and kind replaces
 * such an event, so that a tampered copy cannot stand for the true one. `addPaymentEvent` has the rule for
 * `amount-mismatch`.
 */
export const unresolvedOutcomes: readonly EventOutcome[] = [
  'reference-mismatch',
  'unknown-order',
  'partial-refund',
]

/** `is_void` and `is_refund` are not signed: they may only tell two kinds of child apart. */
export interface TransactionFlags {
  readonly success: boolean
  readonly pending: boolean
  readonly error_occured: boolean
  readonly is_voided: boolean
  readonly is_refunded: boolean
  readonly has_parent_transaction: boolean
  readonly is_auth: boolean
  readonly is_capture: boolean
  readonly is_void?: boolean | undefined
  readonly is_refund?: boolean | undefined
}

/**
 * R8: reversals first, because a refunded transaction still says `success`. A refund or void arrives twice: as the
 * changed parent, which moves an order, and as a child transaction, which does not.
 */
export function kindOf(flags: TransactionFlags): EventKind {
  if (flags.is_voided) return 'voided'
  if (flags.is_refunded) return 'refunded'
  if (flags.has_parent_transaction)
    return flags.is_void ? 'voided' : flags.is_refund ? 'refunded' : 'captured'
  // An authorisation charges nothing, and a later capture is not signed, so an authorisation never counts as paid.
  const isHeld = flags.is_auth && !flags.is_capture
  if (flags.success && !flags.pending && !flags.error_occured) return isHeld ? 'pending' : 'succeeded'
  if (flags.pending) return 'pending'
  return 'failed'
}

export function refusalIn(raw: unknown): string | null {
  const { data } = raw as { readonly data?: { readonly message?: unknown } }
  return typeof data?.message === 'string' && data.message !== '' ? data.message : null
}

/** R9: only the exact amount in the exact currency confirms a payment. */
export function isExactAmount(
  report: Pick<PaymentReport, 'amountHalalas' | 'currency'>,
  expectedHalalas: number,
): boolean {
  return report.amountHalalas === expectedHalalas && report.currency === currency
}

/**
 * Absent or zero: the signed flag `is_refunded` stands for the whole. `unclear`: an unreadable amount may be a part, so
 * nothing is concluded from it.
 */
export function returnOf({
  kind,
  refundedHalalas,
  amountHalalas,
}: Pick<PaymentReport, 'kind' | 'refundedHalalas' | 'amountHalalas'>): 'none' | 'part' | 'unclear' | 'whole' {
  if (kind === 'voided') return 'whole'
  if (kind !== 'refunded') return 'none'
  if (refundedHalalas === 'unreadable') return 'unclear'
  return refundedHalalas !== null && refundedHalalas > 0 && refundedHalalas < amountHalalas ? 'part' : 'whole'
}

/** Inquiries of all gateways at once, and as many refunds. */
export const requestsAtOnce = 8

export const answerTimeoutMs = 10_000

export const attemptRules = {
  /** Sent with every intention: the provider's documents disagree about its default. */
  secretLifeMs: 60 * 60_000,
  /** A secret is returned again while enough of its hour is left to pay (docs/wires/payment.md P17). */
  reuseMs: 50 * 60_000,
  /** A spent secret is not replaced once an order has this many attempts. */
  mostPerOrder: 20,
  /** A request that opens a payment is answered within this. */
  openingMs: 8_000,
  /** An attempt still `creating` after this belongs to a process that died. */
  creatingMs: 30_000,
  /** An inquiry whose answer was lost is due again after this. */
  leaseMs: 60_000,
  /** The thank-you page may ask often (R13). */
  inquiryGapMs: 4_000,
  /** The page then shows the order as stored and asks again. */
  pageWaitMs: 3_000,
} as const

const minute = 60_000
const day = 24 * 60 * minute

/** A payment that begins just before the intention expires may be reported this long after it. */
const graceMs = 15 * minute

/** Times after the start of the attempt (R14): the fifth is after expiry and grace. */
const inquiryOffsets = [
  2 * minute,
  5 * minute,
  15 * minute,
  attemptRules.secretLifeMs,
  attemptRules.secretLifeMs + graceMs,
  ...[1, 2, 3, 4, 5, 6, 7].map((days) => days * day),
]

/** An unpaid order expires when this inquiry finds nothing (R15). */
export const finalStep = inquiryOffsets.indexOf(attemptRules.secretLifeMs + graceMs)

export function inquiryDueAt(createdAt: number, step: number): number | null {
  const offset = inquiryOffsets[step]
  return offset === undefined ? null : createdAt + offset
}

/** Steps that became due meanwhile are one inquiry. */
export function nextInquiryStep(createdAt: number, step: number, now: number): number {
  let next = step + 1
  while (next !== finalStep && (inquiryDueAt(createdAt, next) ?? Number.POSITIVE_INFINITY) <= now) next += 1
  return next
}

/** The delay is as long as the inquiry has been due, from 1 minute to 1 hour. */
export function unreadInquiryDelayMs(dueSince: number, now: number): number {
  return Math.min(60 * minute, Math.max(minute, now - dueSince))
}

/** The payment is held for an operator, and not settled until then. */
export const heldOutcomes: readonly EventOutcome[] = ['reference-mismatch']

/** An unpaid order without a pending inquiry expires after this. */
export const abandonedAfterMs = 8 * day

export const refundRules = {
  readAfterMs: 3_000,
  /** An unfinished lease ends after this; an unknown outcome gets as long to become certain. */
  leaseMs: 60_000,
  maxDelayMs: 60 * minute,
  /** The provider took the refund and does not show it: an operator may request it again. */
  droppedAfterMs: 24 * 60 * minute,
  /** An operator is asked to help; tries continue. */
  helpAfterMs: refundHelpAfterMs,
} as const

/** The delay doubles from 3 s to one hour. */
export function refundDelayMs(tries: number): number {
  return Math.min(refundRules.maxDelayMs, refundRules.readAfterMs * 2 ** Math.max(0, tries - 1))
}

interface KnownRefund {
  readonly transaction_id: string
  readonly reason: RefundReason
  readonly state: RefundState
  readonly amount_halalas: number
  readonly done_at: number | null
  readonly written_off_at: number | null
}

/** A wrong amount is not back, so the order must not be paid. */
export function blocksPayment(refunds: readonly KnownRefund[]): boolean {
  const wrong = refunds.filter(({ reason }) => reason === 'wrong-amount')
  return wrong.some((refund) => refund.state !== 'done' || isLost(refund, wrong))
}

/** The refund was written off, and its money has not come back since. */
export function isLost(
  { transaction_id, amount_halalas, written_off_at }: KnownRefund,
  refunds: readonly KnownRefund[],
): boolean {
  if (written_off_at === null) return false
  const returned = refunds
    .filter((row) => row.transaction_id === transaction_id && row.written_off_at === null)
    .filter(({ done_at }) => done_at !== null && done_at >= written_off_at)
    .reduce((sum, row) => sum + row.amount_halalas, 0)
  return returned < amount_halalas
}
