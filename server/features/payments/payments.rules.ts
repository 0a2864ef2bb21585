import { currency } from '#shared/platform/money.ts'

/**
 * An attempt is durable before the provider is asked (R1). `unknown`: the provider may have made the intention, its
 * secret was never shown. `superseded`: too old to be shown again; a late success on it still counts (R17).
 */
export const attemptStates = ['creating', 'open', 'unknown', 'superseded', 'failed', 'succeeded'] as const
export type AttemptState = (typeof attemptStates)[number]

/** States of which an order has at most one attempt. */
export const liveStates = ['creating', 'open', 'unknown'] as const

/** What the provider says about a transaction, in our words. Partial refunds are `refunded` at the provider, too. */
export interface PaymentReport {
  readonly transactionId: string
  readonly kind: EventKind
  /** The provider's own order number: the only key the signature covers. */
  readonly providerOrderId: number
  /** Not signed; must agree where it is present (R6). */
  readonly merchantReference: string | null
  readonly amountHalalas: number
  readonly currency: string
  /** What the provider counts as paid on the whole order, where it says so. Not signed. */
  readonly orderPaidHalalas: number | null
  /** What went back of this transaction, where the provider says so. Not signed. */
  readonly refundedHalalas: number | null
  /** What is kept of its words: nothing that says who paid. */
  readonly raw: unknown
}

export type EventKind = 'pending' | 'succeeded' | 'failed' | 'refunded' | 'voided' | 'captured'

export type EventOutcome =
  | 'applied'
  | 'noted'
  | 'second-payment'
  | 'owner-deleted'
  | 'amount-mismatch'
  | 'reference-mismatch'
  | 'unknown-order'
  | 'partial-refund'

/**
 * Verdicts that rest on what is not signed, or on what we did not know yet. An event that got one is judged again
 * when it comes again, so that a tampered copy cannot take the place of the true one.
 */
export const openVerdicts: readonly EventOutcome[] = ['reference-mismatch', 'unknown-order', 'partial-refund']

/** `is_void` and `is_refund` are not signed: they may only tell two kinds of child apart. */
export interface TransactionFlags {
  readonly success: boolean
  readonly pending: boolean
  readonly error_occured: boolean
  readonly is_voided: boolean
  readonly is_refunded: boolean
  readonly has_parent_transaction: boolean
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
  if (flags.success && !flags.pending && !flags.error_occured) return 'succeeded'
  if (flags.pending) return 'pending'
  return 'failed'
}

/** R9: money that does not fit to the halala never confirms. */
export function isExactAmount(
  report: Pick<PaymentReport, 'amountHalalas' | 'currency'>,
  expectedHalalas: number,
): boolean {
  return report.amountHalalas === expectedHalalas && report.currency === currency
}

/** Zero says nothing: the flag `is_refunded`, which is signed, then speaks for the whole. */
export function isPartialRefund({
  kind,
  refundedHalalas,
  amountHalalas,
}: Pick<PaymentReport, 'kind' | 'refundedHalalas' | 'amountHalalas'>): boolean {
  return (
    kind === 'refunded' && refundedHalalas !== null && refundedHalalas > 0 && refundedHalalas < amountHalalas
  )
}

export const attemptRules = {
  /** Sent explicitly with every intention: the provider's documents disagree about its default. */
  secretLifeMs: 60 * 60_000,
  /** A secret is handed out again only while enough of its hour is left to pay in (pitfall 9). */
  reuseMs: 50 * 60_000,
  /** An attempt still `creating` after this belonged to a process that died. */
  creatingMs: 30_000,
  /** At most one inquiry per attempt in this time, however often the thank-you page asks (R13). */
  inquiryGapMs: 4_000,
  /** A page waits this long for the provider's answer, then shows the order as it stands and asks again by itself. */
  pageWaitMs: 3_000,
} as const

const minute = 60_000
const day = 24 * 60 * minute

/** After the intention has run out, a payment begun in its last moment may still be on its way. */
const graceMs = 15 * minute

/** When an attempt is asked about, counted from its start (R14): the sixth is after expiry and grace. */
const inquiryOffsets = [
  2 * minute,
  5 * minute,
  15 * minute,
  attemptRules.secretLifeMs,
  attemptRules.secretLifeMs + graceMs,
  ...[1, 2, 3, 4, 5, 6, 7].map((days) => days * day),
]

/** The inquiry whose "nothing" lets an unpaid order expire (R15). */
export const finalStep = inquiryOffsets.indexOf(attemptRules.secretLifeMs + graceMs)

/** When the inquiry of this step is due; null after the last. */
export function inquiryDueAt(createdAt: number, step: number): number | null {
  const offset = inquiryOffsets[step]
  return offset === undefined ? null : createdAt + offset
}

/** The step to go on with after `step` was answered at `now`: what became due meanwhile is one question, not many. */
export function nextInquiryStep(createdAt: number, step: number, now: number): number {
  let next = step + 1
  while (next !== finalStep && (inquiryDueAt(createdAt, next) ?? Number.POSITIVE_INFINITY) <= now) next += 1
  return next
}

/** Why money goes back by itself. */
export type RefundReason = 'second-payment' | 'owner-deleted'

/** A payment that was put aside: somebody has to look at it, and until then it is not settled. */
export const asideVerdicts: readonly EventOutcome[] = ['amount-mismatch', 'reference-mismatch']

/** An unpaid order without any inquiry left to wait for is over after this. */
export const abandonedAfterMs = 8 * day

/**
 * `due`: not asked for, or refused. `doubtful`: asked for, and no answer came: look, and only then ask again (R19).
 * `asked`: the provider took it: only look. `done`: seen at the provider.
 */
export const refundStates = ['due', 'doubtful', 'asked', 'done'] as const
export type RefundState = (typeof refundStates)[number]

export const refundRules = {
  /** How soon to look whether the provider did what it was asked. */
  lookAfterMs: 3_000,
  /** A claim that was not finished comes back after this; a doubtful answer gets as long to become certain. */
  leaseMs: 60_000,
  maxDelayMs: 60 * minute,
} as const

/** Doubling from 3 s to one hour. */
export function refundDelayMs(tries: number): number {
  return Math.min(refundRules.maxDelayMs, refundRules.lookAfterMs * 2 ** Math.max(0, tries - 1))
}
