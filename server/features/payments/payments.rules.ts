import {
  type AttemptState,
  type EventKind,
  type EventOutcome,
  type RefundReason,
  type RefundState,
  refundHelpAfterMs,
} from '#shared/payments/payments.schemas.ts'
import { currency } from '#shared/platform/money.ts'

/** States of which an order has at most one attempt. */
export const liveStates = ['creating', 'open', 'unknown'] as const

/** States of an attempt without a payment and without a pending answer. */
export const endedStates: readonly AttemptState[] = ['superseded', 'failed']

/** What the provider reports about a transaction, in our terms. The provider flags partial refunds as `refunded` too. */
export interface PaymentReport {
  readonly transactionId: string
  readonly kind: EventKind
  /** True for a refund, void or capture that the provider stores as a child transaction of its payment. Signed. */
  readonly isChild: boolean
  /** The provider's own order number: the only key the signature covers. */
  readonly providerOrderId: number
  /** Not signed; must agree where it is present (docs/wires/payment.md R6). */
  readonly merchantReference: string | null
  readonly amountHalalas: number
  readonly currency: string
  /** The sum that the provider counts as paid on the whole order; `null` when it does not say. Not signed. */
  readonly orderPaidHalalas: number | null
  /** Returned of this transaction; null where the provider does not say. Not signed. */
  readonly refundedHalalas: number | 'unreadable' | null
  /** The part of the report that is stored. It does not identify the payer. */
  readonly raw: unknown
  /** Unsigned fields whose value could not be read and is treated as absent. */
  readonly dropped: readonly string[]
}

/**
 * Outcomes that rest on unsigned fields, or on incomplete knowledge. A later event of the same transaction and kind
 * replaces such an event, so that a tampered copy cannot stand for the true one. `amount-mismatch` is replaced as well,
 * mainly by an inquiry: `addPaymentEvent` has the exact rule.
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
 * changed parent, which is what moves an order, and as a child transaction with a number of its own, which does not.
 */
export function kindOf(flags: TransactionFlags): EventKind {
  if (flags.is_voided) return 'voided'
  if (flags.is_refunded) return 'refunded'
  if (flags.has_parent_transaction)
    return flags.is_void ? 'voided' : flags.is_refund ? 'refunded' : 'captured'
  // An authorisation reserves an amount and charges nothing. Our integration makes none, and a later capture is not
  // signed, so an authorisation never counts as paid.
  const isHeld = flags.is_auth && !flags.is_capture
  if (flags.success && !flags.pending && !flags.error_occured) return isHeld ? 'pending' : 'succeeded'
  if (flags.pending) return 'pending'
  return 'failed'
}

/** The provider's words for a refused card; null where it gave none. */
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
 * How much of a payment was returned. Absent or zero: the signed flag `is_refunded` stands for the whole. `unclear`: an
 * unreadable amount may be a part, so nothing is concluded from it.
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

/** Inquiries of the schedule at once, of all gateways; and as many refunds. */
export const requestsAtOnce = 8

/** How long the provider has for one answer. */
export const answerTimeoutMs = 10_000

export const attemptRules = {
  /** Sent explicitly with every intention: the provider's documents disagree about its default. */
  secretLifeMs: 60 * 60_000,
  /** A secret is returned again only while enough of its hour is left to pay (docs/wires/payment.md P17). */
  reuseMs: 50 * 60_000,
  /** From this many attempts of one order on, a spent secret is no longer replaced. */
  mostPerOrder: 20,
  /** A request that opens a payment has its answer within this, whatever it asks the provider. */
  openingMs: 8_000,
  /** An attempt still `creating` after this belongs to a process that died. */
  creatingMs: 30_000,
  /** An inquiry without an answer, because the provider or this process was down, is due again after this. */
  leaseMs: 60_000,
  /** At most one inquiry per attempt in this time, however often the thank-you page asks (R13). */
  inquiryGapMs: 4_000,
  /** A request for an order waits this long for the provider; the page then shows the order as stored and asks again. */
  pageWaitMs: 3_000,
} as const

const minute = 60_000
const day = 24 * 60 * minute

/** A payment that begins just before the intention expires may be reported this long after it. */
const graceMs = 15 * minute

/** When the provider is asked about an attempt, counted from its start (R14): the fifth is after expiry and grace. */
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

/** When the inquiry of this step is due; null after the last. */
export function inquiryDueAt(createdAt: number, step: number): number | null {
  const offset = inquiryOffsets[step]
  return offset === undefined ? null : createdAt + offset
}

/** The step after `step` was answered at `now`: steps that became due meanwhile are one inquiry, not many. */
export function nextInquiryStep(createdAt: number, step: number, now: number): number {
  let next = step + 1
  while (next !== finalStep && (inquiryDueAt(createdAt, next) ?? Number.POSITIVE_INFINITY) <= now) next += 1
  return next
}

/** Delay before an inquiry with an unreadable answer is repeated: as long as it has been due, from 1 minute to 1 hour. */
export function unreadInquiryDelayMs(dueSince: number, now: number): number {
  return Math.min(60 * minute, Math.max(minute, now - dueSince))
}

/** Outcomes of a payment that is held for an operator and not settled until then. */
export const heldOutcomes: readonly EventOutcome[] = ['reference-mismatch']

/** An unpaid order without a pending inquiry expires after this. */
export const abandonedAfterMs = 8 * day

export const refundRules = {
  /** How soon after the request the transaction is read. */
  readAfterMs: 3_000,
  /** An unfinished lease ends after this; an unknown outcome gets as long to become certain. */
  leaseMs: 60_000,
  maxDelayMs: 60 * minute,
  /** A refund that the provider took and still does not show was dropped: an operator may request it again. */
  droppedAfterMs: 24 * 60 * minute,
  /** After this an operator is asked to help; tries continue. */
  helpAfterMs: refundHelpAfterMs,
} as const

/** Doubling from 3 s to one hour. */
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

/** True while the order must not be paid: a wrong amount is not back. A refund that was written off returned nothing. */
export function blocksPayment(refunds: readonly KnownRefund[]): boolean {
  const wrong = refunds.filter(({ reason }) => reason === 'wrong-amount')
  return wrong.some((refund) => refund.state !== 'done' || isLost(refund, wrong))
}

/** True of a refund that was written off, and whose money has not come back since. */
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
