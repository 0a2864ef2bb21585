import type { Clock } from '../platform/clock.ts'
import type { Delivery } from '../platform/deliveries.ts'
import type { Callbacks } from './payment.callbacks.ts'
import type { IntentionRecord, ReversalRefusal, TransactionRecord } from './payment.records.ts'
import { bankAnswers, type CallbackMode, cardOf, otherAmountThan, testCards } from './payment.scenarios.ts'
import type { PaymentState } from './payment.state.ts'
import type { TransactionObject } from './payment.transaction.wire.ts'

export const replayOutcomes = ['success', 'decline', 'cancel', 'refund', 'void'] as const
type ReplayOutcome = (typeof replayOutcomes)[number]

interface ReplayOrder {
  outcome: ReplayOutcome
  callback: CallbackMode
  /** Undefined leaves the default of the mode. */
  delayMs: number | undefined
}

type ReplayAnswer =
  | { kind: 'done'; redirectUrl: string | null; callbacks: Delivery[] }
  | { kind: 'unknown' }
  | { kind: 'refused'; reason: ReversalRefusal | 'nothing-to-give-back' | 'mismatch-needs-an-amount' }

const replayCard = cardOf(testCards[0]?.number ?? '')

/** Outcomes that testers choose instead of paying in the card form. */
export function createReplay({
  clock,
  state,
  callbacks,
}: {
  clock: Clock
  state: PaymentState
  callbacks: Callbacks
}) {
  const replayCharge = (intention: IntentionRecord, outcome: 'success' | 'decline', mode: CallbackMode) => ({
    amountHalalas: mode === 'mismatch' ? otherAmountThan(intention.amountHalalas) : intention.amountHalalas,
    card: replayCard,
    answer: outcome === 'success' ? bankAnswers.approved : bankAnswers.declined,
    isSecure: outcome === 'success',
    refusesRefunds: false,
    isUnusual: false,
    lagMs: 0,
  })

  /** A forged callback reports a payment that the provider does not have. */
  const unrecordedPayment = (
    intention: IntentionRecord,
    outcome: 'success' | 'decline',
  ): TransactionRecord => ({
    ...replayCharge(intention, outcome, 'forge'),
    id: state.reserveId(),
    intentionId: intention.id,
    kind: 'payment',
    parentId: null,
    settlesAt: null,
    isVoided: false,
    refundedHalalas: 0,
    listedAt: 0,
    former: null,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  })

  async function finish(
    intention: IntentionRecord,
    order: ReplayOrder,
    objects: TransactionObject[],
  ): Promise<ReplayAnswer> {
    const { made, attempted } = callbacks.announce(
      intention,
      { mode: order.callback, delayMs: order.delayMs },
      objects,
    )
    await attempted
    const [first] = objects
    const query = first === undefined ? callbacks.cancelQueryOf(intention) : callbacks.queryOf(first)
    if (order.callback === 'forge') query.hmac = callbacks.forgedSignature()
    return { kind: 'done', redirectUrl: callbacks.redirectUrlOf(intention, query), callbacks: made }
  }

  /** A reversal that the provider does not have. */
  const unrecordedReversal = (payment: TransactionRecord, outcome: ReplayOutcome): TransactionRecord => ({
    ...payment,
    isVoided: outcome === 'void',
    refundedHalalas: outcome === 'refund' ? payment.amountHalalas : payment.refundedHalalas,
  })

  function reverse({ id, amountHalalas, refundedHalalas }: TransactionRecord, order: ReplayOrder) {
    if (order.outcome === 'void') return state.void(id)
    const rest = amountHalalas - refundedHalalas
    return state.refund(id, order.callback === 'mismatch' ? otherAmountThan(rest) : rest)
  }

  async function replayReversal(
    candidates: readonly IntentionRecord[],
    order: ReplayOrder,
  ): Promise<ReplayAnswer> {
    const { outcome, callback } = order
    const intention = candidates.find((each) => state.findStandingPayment(each) !== undefined)
    const payment = intention && state.findStandingPayment(intention)
    if (intention === undefined || payment === undefined)
      return { kind: 'refused', reason: 'nothing-to-give-back' }
    if (callback === 'forge')
      return finish(intention, order, [
        callbacks.callbackObjectOf(intention, unrecordedReversal(payment, outcome)),
      ])
    if (outcome === 'void' && callback === 'mismatch')
      return { kind: 'refused', reason: 'mismatch-needs-an-amount' }
    const answer = reverse(payment, order)
    if (answer.kind === 'refused') return answer
    return finish(intention, order, callbacks.reversalObjects(intention, answer))
  }

  /** With `send` and no delay the callbacks have been attempted once when this resolves. */
  return async function replay(ref: string, order: ReplayOrder): Promise<ReplayAnswer> {
    const candidates = state.findAll(ref)
    const [intention] = candidates
    if (intention === undefined) return { kind: 'unknown' }
    const { outcome, callback } = order
    switch (outcome) {
      case 'cancel':
        return {
          kind: 'done',
          redirectUrl: callbacks.redirectUrlOf(intention, callbacks.cancelQueryOf(intention)),
          callbacks: [],
        }
      case 'refund':
      case 'void':
        return replayReversal(candidates, order)
      case 'success':
      case 'decline': {
        const transaction =
          callback === 'forge'
            ? unrecordedPayment(intention, outcome)
            : state.charge(intention, { ...replayCharge(intention, outcome, callback), processingMs: 0 })
        return finish(intention, order, [callbacks.callbackObjectOf(intention, transaction)])
      }
    }
  }
}
