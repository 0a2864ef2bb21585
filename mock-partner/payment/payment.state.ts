import type { Clock } from '../platform/clock.ts'
import { createIdSequence, randomHex } from '../platform/ids.ts'
import { createIntentionIndex } from './payment.intentions.ts'
import {
  type IntentionRecord,
  type IntentionStatus,
  type IntentionTerms,
  isPaid,
  isStanding,
} from './payment.records.ts'
import { type Unusual, usual } from './payment.scenarios.ts'
import { createTransactions, type StoredTransactions } from './payment.transactions.ts'

/** The oldest intentions are dropped beyond this many, so that long runs stay small. */
const intentionLimit = 50_000

interface StoredPayment {
  lastOrderId: number
  intentions: IntentionRecord[]
  intentionCount: number
  transactions: StoredTransactions
}

/**
 * The state of the simulated provider, in memory.
 * @param random 0 ≤ random < 1.
 */
export function createPaymentState({
  clock,
  random = Math.random,
}: {
  clock: Clock
  random?: (() => number) | undefined
}) {
  let unusual = usual
  const drawsUnusual = () => random() < unusual.probability
  const orderIds = createIdSequence(clock)
  const intentions = createIntentionIndex()
  const { findById, findByClientSecret, findByOrderId, findByReference, findAll } = intentions
  const { stored: storedTransactions, ...transactions } = createTransactions({
    clock,
    drawsUnusual,
    drawLagMs: () => Math.floor(random() * unusual.lagMs),
  })
  let intentionCount = 0

  function statusOf(intention: IntentionRecord): IntentionStatus {
    const all = transactions.transactionsOf(intention)
    const paid = all.filter(isPaid)
    if (paid.some(isStanding)) return 'paid'
    if (paid.some(({ isVoided }) => isVoided)) return 'voided'
    if (paid.length > 0) return 'refunded'
    if (all.some(({ settlesAt }) => settlesAt !== null)) return 'pending'
    return clock.now() >= intention.expiresAt ? 'expired' : 'open'
  }

  return {
    ...transactions,
    findById,
    findByClientSecret,
    findByOrderId,
    findByReference,
    findAll,
    /** Newest first. */
    list: (limit: number) => intentions.all().reverse().slice(0, limit),

    create(terms: IntentionTerms): IntentionRecord | 'duplicate-reference' {
      const { expirationSeconds, ...rest } = terms
      if (rest.reference !== null && findByReference(rest.reference) !== undefined)
        return 'duplicate-reference'
      const now = clock.now()
      const intention: IntentionRecord = {
        ...rest,
        id: `pi_test_${randomHex()}`,
        clientSecret: `sau_csk_test_${randomHex()}`,
        orderId: orderIds.next(),
        createdAt: now,
        expiresAt: now + expirationSeconds * 1_000,
      }
      intentions.add(intention)
      intentionCount += 1
      if (intentions.count() > intentionLimit) {
        const [oldest = intention] = intentions.all()
        intentions.remove(oldest)
        storedTransactions.drop(oldest)
      }
      return intention
    },

    /** Refused while a payment is pending and once one was made. */
    update(
      intention: IntentionRecord,
      { expirationSeconds, ...terms }: Partial<IntentionTerms>,
    ): IntentionRecord | 'duplicate-reference' | 'in-payment' {
      const status = statusOf(intention)
      if (status !== 'open' && status !== 'expired') return 'in-payment'
      const { reference } = terms
      if (typeof reference === 'string' && !intentions.changeReference(intention, reference))
        return 'duplicate-reference'
      Object.assign(intention, terms)
      if (expirationSeconds !== undefined) intention.expiresAt = clock.now() + expirationSeconds * 1_000
      return intention
    },

    statusOf,

    setUnusual(wanted: Unusual): void {
      unusual = wanted
    },
    unusual: () => unusual,
    /** Draws at random whether a payment or intention that begins now is answered in an unusual form. */
    drawsUnusual,

    counters: () => ({ intentions: intentionCount, ...storedTransactions.counts() }),

    reset(): void {
      intentions.clear()
      storedTransactions.clear()
      intentionCount = 0
      unusual = usual
      orderIds.restart()
    },

    snapshot: (): StoredPayment => ({
      lastOrderId: orderIds.last(),
      intentions: intentions.all(),
      intentionCount,
      transactions: storedTransactions.snapshot(),
    }),

    restore(stored: StoredPayment): void {
      orderIds.continueAfter(stored.lastOrderId)
      stored.intentions.forEach(intentions.add)
      intentionCount = stored.intentionCount
      storedTransactions.restore(stored.transactions)
    },
  }
}
export type PaymentState = ReturnType<typeof createPaymentState>
