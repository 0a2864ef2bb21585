import { riyadhOffsetMs } from '#shared/platform/instant.ts'
import type { Clock } from '../platform/clock.ts'
import { createIdSequence } from '../platform/ids.ts'
import {
  type Charge,
  type IntentionRecord,
  isPaid,
  isStanding,
  type ReversalAnswer,
  type ReversalRefusal,
  type TransactionRecord,
} from './payment.records.ts'

const dayInRiyadh = (epochMs: number): number => Math.floor((epochMs + riyadhOffsetMs) / 86_400_000)

const noCounts = () => ({ payments: 0, refunds: 0, voids: 0 })

export interface StoredTransactions {
  lastId: number
  transactions: TransactionRecord[]
  counts: ReturnType<typeof noCounts>
}

const refused = (reason: ReversalRefusal): ReversalAnswer => ({ kind: 'refused', reason })

/** Payments, refunds and voids of all intentions. */
export function createTransactions({
  clock,
  drawsUnusual,
  drawLagMs,
}: {
  clock: Clock
  drawsUnusual: () => boolean
  drawLagMs: () => number
}) {
  const transactionIds = createIdSequence(clock)
  const transactions = new Map<number, TransactionRecord>()
  const transactionsByIntention = new Map<string, TransactionRecord[]>()
  let counts = noCounts()

  function keepTransaction(transaction: TransactionRecord): void {
    transactions.set(transaction.id, transaction)
    const others = transactionsByIntention.get(transaction.intentionId)
    if (others === undefined) transactionsByIntention.set(transaction.intentionId, [transaction])
    else others.push(transaction)
  }

  const transactionsOf = ({ id }: IntentionRecord) => transactionsByIntention.get(id) ?? []

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
      listedAt: now + drawLagMs(),
      former: null,
      createdAt: now,
      updatedAt: now,
    }
    keepTransaction(child)
    if (isRefused) return { kind: 'done', parent, child } as const
    const { refundedHalalas, isVoided } = parent
    parent.former = { until: child.listedAt, refundedHalalas, isVoided }
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

  /** Why a payment cannot be voided; undefined when it can. */
  function voidRefusalOf(payment: TransactionRecord): ReversalRefusal | undefined {
    if (!isPaid(payment)) return 'not-paid'
    if (payment.isVoided) return 'already-voided'
    if (payment.refundedHalalas > 0) return 'already-refunded'
    // Settlement is at the end of the business day in Riyadh; after it only a refund is possible.
    return dayInRiyadh(clock.now()) === dayInRiyadh(payment.createdAt) ? undefined : 'settled'
  }

  return {
    /** Oldest first. */
    transactionsOf,
    findTransaction: (id: number) => transactions.get(id),
    pendingTransactions: () => [...transactions.values()].filter(({ settlesAt }) => settlesAt !== null),
    /** Paid and not voided, over all transactions of the order; refunds do not lower it. */
    paidHalalasOf: (intention: IntentionRecord): number =>
      transactionsOf(intention)
        .filter((each) => isPaid(each) && !each.isVoided)
        .reduce((sum, { amountHalalas }) => sum + amountHalalas, 0),
    /** The newest payment that can still be returned. */
    findStandingPayment: (intention: IntentionRecord) =>
      transactionsOf(intention).findLast((each) => isPaid(each) && isStanding(each)),
    /** A transaction as the inquiry has it now; undefined while it lags behind. */
    listed(transaction: TransactionRecord | undefined): TransactionRecord | undefined {
      if (transaction === undefined || clock.now() < transaction.listedAt) return undefined
      const { former } = transaction
      return former && clock.now() < former.until ? { ...transaction, ...former } : transaction
    },

    charge(intention: IntentionRecord, { processingMs, lagMs, ...charge }: Charge): TransactionRecord {
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
        isUnusual: charge.isUnusual || drawsUnusual(),
        listedAt: now + lagMs + drawLagMs(),
        former: null,
        createdAt: now,
        updatedAt: now,
      }
      keepTransaction(transaction)
      if (isPaid(transaction)) counts.payments += 1
      return transaction
    },

    settle(transaction: TransactionRecord): void {
      if (transaction.settlesAt === null) return
      transaction.settlesAt = null
      transaction.updatedAt = clock.now()
      if (isPaid(transaction)) counts.payments += 1
    },

    refund(transactionId: number, amountHalalas: number): ReversalAnswer {
      const parent = transactions.get(transactionId)
      if (parent === undefined) return refused('not-found')
      if (!isPaid(parent)) return refused('not-paid')
      if (parent.isVoided) return refused('already-voided')
      if (!Number.isSafeInteger(amountHalalas) || amountHalalas <= 0) return refused('amount-invalid')
      if (amountHalalas > parent.amountHalalas - parent.refundedHalalas) return refused('amount-too-large')
      return reverse(parent, 'refund', amountHalalas)
    },

    voidRefusalOf,

    void(transactionId: number): ReversalAnswer {
      const parent = transactions.get(transactionId)
      if (parent === undefined) return refused('not-found')
      const refusal = voidRefusalOf(parent)
      return refusal === undefined ? reverse(parent, 'void', parent.amountHalalas) : refused(refusal)
    },

    /** An id like that of a transaction, for one that does not exist. */
    reserveId: () => transactionIds.next(),

    stored: {
      counts: () => counts,
      drop(intention: IntentionRecord): void {
        for (const { id } of transactionsOf(intention)) transactions.delete(id)
        transactionsByIntention.delete(intention.id)
      },
      clear(): void {
        transactions.clear()
        transactionsByIntention.clear()
        counts = noCounts()
        transactionIds.restart()
      },
      snapshot: (): StoredTransactions => ({
        lastId: transactionIds.last(),
        transactions: [...transactions.values()],
        counts,
      }),
      restore(stored: StoredTransactions): void {
        transactionIds.continueAfter(stored.lastId)
        stored.transactions.forEach(keepTransaction)
        counts = stored.counts
      },
    },
  }
}
