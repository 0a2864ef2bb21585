import { refundHelpAfterMs } from '#shared/payments/payments.rules.ts'
import type {
  AttemptState,
  EventKind,
  EventOutcome,
  RefundReason,
  RefundState,
} from '#shared/payments/payments.schemas.ts'
import { currency } from '#shared/platform/money.ts'

export const liveStates = ['creating', 'open', 'unknown'] as const

/** An attempt in one of these states has no payment, and no answer of the provider is pending. */
export const endedStates: readonly AttemptState[] = ['superseded', 'failed']

/** The kind `refunded` includes partial refunds. */
export interface PaymentReport {
  readonly transactionId: string
  readonly kind: EventKind
  /** A refund, void or capture is a child transaction of its payment. This field is signed. */
  readonly isChild: boolean
  /** The only identifier of the order that is signed. */
  readonly providerOrderId: number
  /** This reference is not signed. When it is present, it must be ours (docs/wires/payment.md R6). */
  readonly merchantReference: string | null
  readonly amountHalalas: number
  readonly currency: string
  /** The provider's sum of payments for the whole order. This field is not signed. */
  readonly orderPaidHalalas: number | null
  /** The provider does not sign the refunded amount. */
  readonly refundedHalalas: number | 'unreadable' | null
  /** The stored part of the report. It does not identify the payer. */
  readonly raw: unknown
  readonly dropped: readonly string[]
}

/**
 * Outcomes that depend on unsigned fields or on incomplete knowledge. A later event replaces such an outcome, so that a
 * forged copy cannot block the true report.
 */
export const unresolvedOutcomes: readonly EventOutcome[] = [
  'reference-mismatch',
  'unknown-order',
  'partial-refund',
]

/** `is_void` and `is_refund` are not signed, so they must only tell a void from a refund in a child transaction. */
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

/** Reversals are checked first, because a refunded transaction still has `success` (docs/wires/payment.md R8). */
export function kindOf(flags: TransactionFlags): EventKind {
  if (flags.is_voided) return 'voided'
  if (flags.is_refunded) return 'refunded'
  if (flags.has_parent_transaction)
    return flags.is_void ? 'voided' : flags.is_refund ? 'refunded' : 'captured'
  // An authorisation charges nothing and a later capture is not signed, so an authorisation never counts as paid.
  const isHeld = flags.is_auth && !flags.is_capture
  if (flags.success && !flags.pending && !flags.error_occured) return isHeld ? 'pending' : 'succeeded'
  if (flags.pending) return 'pending'
  return 'failed'
}

export function refusalIn(raw: unknown): string | null {
  const { data } = raw as { readonly data?: { readonly message?: unknown } }
  return typeof data?.message === 'string' && data.message !== '' ? data.message : null
}

/** docs/wires/payment.md R9 */
export function isExactAmount(
  report: Pick<PaymentReport, 'amountHalalas' | 'currency'>,
  expectedHalalas: number,
): boolean {
  return report.amountHalalas === expectedHalalas && report.currency === currency
}

/** Returns `whole` for an absent amount or 0, because the flag `is_refunded` is signed. */
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

/** At most this many inquiries, and at most this many refunds, run simultaneously over all gateways. */
export const requestsAtOnce = 8

export const answerTimeoutMs = 10_000

export const attemptRules = {
  /**
   * The life of a client secret is sent with every intention, because the provider's documents name different defaults.
   */
  secretLifeMs: 60 * 60_000,
  /** Later, too little time to pay is left, so the client secret is not returned again (docs/wires/payment.md P17). */
  reuseMs: 50 * 60_000,
  /** After this many attempts for an order, a spent client secret is not replaced. */
  mostPerOrder: 20,
  openingMs: 8_000,
  /** An attempt that is still `creating` after this time belongs to a process that died. */
  creatingMs: 30_000,
  leaseMs: 60_000,
  /** Inquiries are at least this far apart, because the return page asks often (docs/wires/payment.md R13). */
  inquiryGapMs: 4_000,
  /** The return page waits this long for the provider, then it shows the stored order. */
  pageWaitMs: 3_000,
} as const

const minute = 60_000
const day = 24 * 60 * minute

/** A payment that begins just before its intention expires can be reported this long after it. */
const graceMs = 15 * minute

/** docs/wires/payment.md R14 */
const inquiryOffsets = [
  2 * minute,
  5 * minute,
  15 * minute,
  attemptRules.secretLifeMs,
  attemptRules.secretLifeMs + graceMs,
  ...[1, 2, 3, 4, 5, 6, 7].map((days) => days * day),
]

/** The order expires when this inquiry finds no payment (docs/wires/payment.md R15). */
export const finalStep = inquiryOffsets.indexOf(attemptRules.secretLifeMs + graceMs)

export function inquiryDueAt(createdAt: number, step: number): number | null {
  const offset = inquiryOffsets[step]
  return offset === undefined ? null : createdAt + offset
}

/** One inquiry is enough for several overdue steps, but `finalStep` is never skipped. */
export function nextInquiryStep(createdAt: number, step: number, now: number): number {
  let next = step + 1
  while (next !== finalStep && (inquiryDueAt(createdAt, next) ?? Number.POSITIVE_INFINITY) <= now) next += 1
  return next
}

export function unreadInquiryDelayMs(dueSince: number, now: number): number {
  return Math.min(60 * minute, Math.max(minute, now - dueSince))
}

/** A payment with such an outcome waits until an operator settles it. */
export const heldOutcomes: readonly EventOutcome[] = ['reference-mismatch']

export const abandonedAfterMs = 8 * day

export const refundRules = {
  readAfterMs: 3_000,
  /** The lease of a refund is also long enough for an unknown outcome to become known at the provider. */
  leaseMs: 60_000,
  maxDelayMs: 60 * minute,
  /** An accepted refund that the provider does not show after this time can be requested again by an operator. */
  droppedAfterMs: 24 * 60 * minute,
  helpAfterMs: refundHelpAfterMs,
} as const

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

/** True while a payment of a wrong amount is not returned, because the order must not be paid then. */
export function blocksPayment(refunds: readonly KnownRefund[]): boolean {
  const wrong = refunds.filter(({ reason }) => reason === 'wrong-amount')
  return wrong.some((refund) => refund.state !== 'done' || isLost(refund, wrong))
}

/** True when the refund was written off and its money was not returned later. */
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
