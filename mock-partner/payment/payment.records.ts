import type { BillingData, IntentionItem } from '#shared/wire/payment/payment.wire.ts'
import type { BankAnswer, Card } from './payment.scenarios.ts'

export interface IntentionRecord {
  id: string
  clientSecret: string
  /** `intention_order_id` at creation, `order.id` in every transaction. */
  orderId: number
  integrationId: number
  amountHalalas: number
  currency: string
  items: IntentionItem[]
  billing: BillingData
  reference: string | null
  extras: Record<string, unknown>
  createdAt: number
  expiresAt: number
  notificationUrl: string | null
  redirectionUrl: string | null
}

/** The terms of an intention, as the merchant sets them. */
export type IntentionTerms = Pick<
  IntentionRecord,
  | 'integrationId'
  | 'amountHalalas'
  | 'currency'
  | 'items'
  | 'billing'
  | 'reference'
  | 'extras'
  | 'notificationUrl'
  | 'redirectionUrl'
> & { expirationSeconds: number }

type TransactionKind = 'payment' | 'refund' | 'void'

export interface TransactionRecord {
  id: number
  intentionId: string
  kind: TransactionKind
  parentId: number | null
  amountHalalas: number
  card: Card
  answer: BankAnswer
  isSecure: boolean
  /** Epoch milliseconds at which a pending transaction is settled; null once it is. */
  settlesAt: number | null
  isVoided: boolean
  refundedHalalas: number
  refusesRefunds: boolean
  isUnusual: boolean
  /** Epoch milliseconds before which the inquiry does not have it. */
  listedAt: number
  /** What the inquiry still answers, until `until`, after a refund or void; null before one. */
  former: { until: number; refundedHalalas: number; isVoided: boolean } | null
  createdAt: number
  updatedAt: number
}

export type IntentionStatus = 'open' | 'pending' | 'paid' | 'refunded' | 'voided' | 'expired'

export interface Charge {
  amountHalalas: number
  card: Card
  answer: BankAnswer
  isSecure: boolean
  /** 0 settles at once. */
  processingMs: number
  refusesRefunds: boolean
  isUnusual: boolean
  lagMs: number
}

export type ReversalRefusal =
  | 'not-found'
  | 'not-paid'
  | 'amount-invalid'
  | 'amount-too-large'
  | 'already-voided'
  | 'already-refunded'
  | 'settled'
export type ReversalAnswer =
  | { kind: 'done'; parent: TransactionRecord; child: TransactionRecord }
  | { kind: 'refused'; reason: ReversalRefusal }

/** Money of it can still be returned. */
export const isStanding = ({ isVoided, refundedHalalas, amountHalalas }: TransactionRecord): boolean =>
  !isVoided && refundedHalalas < amountHalalas

export const isPaid = ({ kind, answer, settlesAt }: TransactionRecord): boolean =>
  kind === 'payment' && answer.isApproved && settlesAt === null
