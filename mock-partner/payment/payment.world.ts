import type { BillingData, IntentionItem } from '#shared/wire/payment/payment.wire.ts'
import type { Clock } from '../platform/clock.ts'
import { createIdSequence, randomHex } from '../platform/ids.ts'
import type { BankAnswer } from './payment.scenarios.ts'

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

/** What the merchant decides about an intention. */
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

export interface Card {
  /** Six first and four last digits; the rest is never kept. */
  first6: string
  last4: string
  brand: 'Visa' | 'MasterCard'
}

export type TransactionKind = 'payment' | 'refund' | 'void'

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

export interface PaymentWorld {
  create(terms: IntentionTerms): IntentionRecord | 'duplicate-reference'
  /** Refused while a payment is under way and once one was made. */
  update(
    intention: IntentionRecord,
    terms: Partial<IntentionTerms>,
  ): IntentionRecord | 'duplicate-reference' | 'in-payment'
  findById(id: string): IntentionRecord | undefined
  findByClientSecret(clientSecret: string): IntentionRecord | undefined
  findByOrderId(orderId: number): IntentionRecord | undefined
  findByReference(reference: string): IntentionRecord | undefined
  /** By intention id, merchant reference or the `order_number` of the extras; newest first. */
  findAll(ref: string): IntentionRecord[]
  /** Newest first. */
  list(limit: number): IntentionRecord[]
  statusOf(intention: IntentionRecord): IntentionStatus
  /** Paid and not voided, over all transactions of the order; refunds do not lower it. */
  paidHalalasOf(intention: IntentionRecord): number
  /** The newest payment that can still be given back. */
  findStandingPayment(intention: IntentionRecord): TransactionRecord | undefined
  /** Oldest first. */
  transactionsOf(intention: IntentionRecord): TransactionRecord[]
  findTransaction(id: number): TransactionRecord | undefined
  pendingTransactions(): TransactionRecord[]
  charge(intention: IntentionRecord, charge: Charge): TransactionRecord
  settle(transaction: TransactionRecord): void
  refund(transactionId: number, amountHalalas: number): ReversalAnswer
  void(transactionId: number): ReversalAnswer
  /** An id like that of a transaction, for one that does not exist. */
  reserveId(): number
  counters(): { intentions: number; payments: number; refunds: number; voids: number }
  reset(): void
  snapshot(): unknown
  restore(state: unknown): void
}

/** Oldest intentions are forgotten beyond this many, so that long runs stay small. */
const mostKept = 50_000
const riyadhOffsetMs = 3 * 3_600_000

const dayInRiyadh = (epochMs: number): number => Math.floor((epochMs + riyadhOffsetMs) / 86_400_000)

interface PaymentState {
  lastOrderId: number
  lastTransactionId: number
  intentions: IntentionRecord[]
  transactions: TransactionRecord[]
  counters: ReturnType<PaymentWorld['counters']>
}

const noCounts = () => ({ intentions: 0, payments: 0, refunds: 0, voids: 0 })

const refused = (reason: ReversalRefusal): ReversalAnswer => ({ kind: 'refused', reason })

const isStanding = ({ isVoided, refundedHalalas, amountHalalas }: TransactionRecord): boolean =>
  !isVoided && refundedHalalas < amountHalalas

const isPaid = ({ kind, answer, settlesAt }: TransactionRecord): boolean =>
  kind === 'payment' && answer.isApproved && settlesAt === null

export function createPaymentWorld({ clock }: { clock: Clock }): PaymentWorld {
  const orderIds = createIdSequence(clock)
  const transactionIds = createIdSequence(clock)
  const byId = new Map<string, IntentionRecord>()
  const byClientSecret = new Map<string, IntentionRecord>()
  const byOrderId = new Map<number, IntentionRecord>()
  const byReference = new Map<string, IntentionRecord>()
  const byOrderNumber = new Map<string, IntentionRecord[]>()
  const transactions = new Map<number, TransactionRecord>()
  const transactionsByIntention = new Map<string, TransactionRecord[]>()
  let counts = noCounts()

  const orderNumberOf = ({ extras }: IntentionRecord): string | undefined => {
    const number = extras.order_number
    return typeof number === 'number' || typeof number === 'string' ? String(number) : undefined
  }

  function keep(intention: IntentionRecord): void {
    byId.set(intention.id, intention)
    byClientSecret.set(intention.clientSecret, intention)
    byOrderId.set(intention.orderId, intention)
    if (intention.reference !== null) byReference.set(intention.reference, intention)
    const number = orderNumberOf(intention)
    if (number !== undefined) byOrderNumber.set(number, [intention, ...(byOrderNumber.get(number) ?? [])])
  }

  function forget(intention: IntentionRecord): void {
    byId.delete(intention.id)
    byClientSecret.delete(intention.clientSecret)
    byOrderId.delete(intention.orderId)
    if (intention.reference !== null) byReference.delete(intention.reference)
    const number = orderNumberOf(intention)
    if (number !== undefined) byOrderNumber.delete(number)
    for (const { id } of transactionsByIntention.get(intention.id) ?? []) transactions.delete(id)
    transactionsByIntention.delete(intention.id)
  }

  function keepTransaction(transaction: TransactionRecord): void {
    transactions.set(transaction.id, transaction)
    const others = transactionsByIntention.get(transaction.intentionId)
    if (others === undefined) transactionsByIntention.set(transaction.intentionId, [transaction])
    else others.push(transaction)
  }

  const transactionsOf = (intention: IntentionRecord) => transactionsByIntention.get(intention.id) ?? []

  function statusOf(intention: IntentionRecord): IntentionStatus {
    const all = transactionsOf(intention)
    const paid = all.filter(isPaid)
    if (paid.some(isStanding)) return 'paid'
    if (paid.some(({ isVoided }) => isVoided)) return 'voided'
    if (paid.length > 0) return 'refunded'
    if (all.some(({ settlesAt }) => settlesAt !== null)) return 'pending'
    return clock.now() >= intention.expiresAt ? 'expired' : 'open'
  }

  function reverse(parent: TransactionRecord, kind: 'refund' | 'void', amountHalalas: number) {
    const now = clock.now()
    const isRefused = kind === 'refund' && parent.refusesRefunds
    const child: TransactionRecord = {
      ...parent,
      id: transactionIds.next(),
      kind,
      parentId: parent.id,
      amountHalalas,
      answer: isRefused
        ? { isApproved: false, message: 'Refund declined', transactionCode: 'DECLINED', acquirerCode: '05' }
        : parent.answer,
      isVoided: false,
      refundedHalalas: 0,
      createdAt: now,
      updatedAt: now,
    }
    keepTransaction(child)
    if (isRefused) return { kind: 'done', parent, child } as const
    parent.updatedAt = now
    if (kind === 'refund') {
      parent.refundedHalalas += amountHalalas
      counts.refunds += 1
    } else {
      parent.isVoided = true
      counts.voids += 1
    }
    return { kind: 'done', parent, child } as const
  }

  return {
    create(terms) {
      if (terms.reference !== null && byReference.has(terms.reference)) return 'duplicate-reference'
      const { expirationSeconds, ...rest } = terms
      const now = clock.now()
      const intention: IntentionRecord = {
        ...rest,
        id: `pi_test_${randomHex()}`,
        clientSecret: `sau_csk_test_${randomHex()}`,
        orderId: orderIds.next(),
        createdAt: now,
        expiresAt: now + expirationSeconds * 1_000,
      }
      keep(intention)
      counts.intentions += 1
      if (byId.size > mostKept) {
        const [oldest] = byId.values()
        if (oldest !== undefined) forget(oldest)
      }
      return intention
    },

    update(intention, { expirationSeconds, ...terms }) {
      const status = statusOf(intention)
      if (status !== 'open' && status !== 'expired') return 'in-payment'
      const { reference } = terms
      if (typeof reference === 'string' && reference !== intention.reference) {
        if (byReference.has(reference)) return 'duplicate-reference'
        if (intention.reference !== null) byReference.delete(intention.reference)
        byReference.set(reference, intention)
      }
      Object.assign(intention, terms)
      if (expirationSeconds !== undefined) intention.expiresAt = clock.now() + expirationSeconds * 1_000
      return intention
    },

    findById: (id) => byId.get(id),
    findByClientSecret: (clientSecret) => byClientSecret.get(clientSecret),
    findByOrderId: (orderId) => byOrderId.get(orderId),
    findByReference: (reference) => byReference.get(reference),
    findAll(ref) {
      const one = byId.get(ref) ?? byReference.get(ref)
      return one === undefined ? (byOrderNumber.get(ref) ?? []) : [one]
    },
    list: (limit) => [...byId.values()].reverse().slice(0, limit),
    statusOf,
    paidHalalasOf: (intention) =>
      transactionsOf(intention)
        .filter((each) => isPaid(each) && !each.isVoided)
        .reduce((sum, { amountHalalas }) => sum + amountHalalas, 0),
    findStandingPayment: (intention) =>
      transactionsOf(intention).findLast((each) => isPaid(each) && isStanding(each)),
    transactionsOf,
    findTransaction: (id) => transactions.get(id),
    pendingTransactions: () => [...transactions.values()].filter(({ settlesAt }) => settlesAt !== null),

    charge(intention, { processingMs, ...charge }) {
      const now = clock.now()
      const transaction: TransactionRecord = {
        ...charge,
        id: transactionIds.next(),
        intentionId: intention.id,
        kind: 'payment',
        parentId: null,
        settlesAt: processingMs > 0 ? now + processingMs : null,
        isVoided: false,
        refundedHalalas: 0,
        createdAt: now,
        updatedAt: now,
      }
      keepTransaction(transaction)
      if (isPaid(transaction)) counts.payments += 1
      return transaction
    },

    settle(transaction) {
      if (transaction.settlesAt === null) return
      transaction.settlesAt = null
      transaction.updatedAt = clock.now()
      if (isPaid(transaction)) counts.payments += 1
    },

    refund(transactionId, amountHalalas) {
      const parent = transactions.get(transactionId)
      if (parent === undefined) return refused('not-found')
      if (!isPaid(parent)) return refused('not-paid')
      if (parent.isVoided) return refused('already-voided')
      if (!Number.isSafeInteger(amountHalalas) || amountHalalas <= 0) return refused('amount-invalid')
      if (amountHalalas > parent.amountHalalas - parent.refundedHalalas) return refused('amount-too-large')
      return reverse(parent, 'refund', amountHalalas)
    },

    void(transactionId) {
      const parent = transactions.get(transactionId)
      if (parent === undefined) return refused('not-found')
      if (!isPaid(parent)) return refused('not-paid')
      if (parent.isVoided) return refused('already-voided')
      if (parent.refundedHalalas > 0) return refused('already-refunded')
      // Settlement is at the end of the business day in Riyadh; after it only a refund is possible.
      if (dayInRiyadh(clock.now()) !== dayInRiyadh(parent.createdAt)) return refused('settled')
      return reverse(parent, 'void', parent.amountHalalas)
    },

    reserveId: () => transactionIds.next(),
    counters: () => ({ ...counts }),

    reset() {
      for (const map of [byId, byClientSecret, byOrderId, byReference, byOrderNumber]) map.clear()
      transactions.clear()
      transactionsByIntention.clear()
      counts = noCounts()
      orderIds.restart()
      transactionIds.restart()
    },

    snapshot: (): PaymentState => ({
      lastOrderId: orderIds.last(),
      lastTransactionId: transactionIds.last(),
      intentions: [...byId.values()],
      transactions: [...transactions.values()],
      counters: counts,
    }),

    restore(state) {
      const stored = state as PaymentState
      orderIds.continueAfter(stored.lastOrderId)
      transactionIds.continueAfter(stored.lastTransactionId)
      stored.intentions.forEach(keep)
      stored.transactions.forEach(keepTransaction)
      counts = stored.counters
    },
  }
}
