import type { Clock } from '../platform/clock.ts'
import type { Deliveries } from '../platform/deliveries.ts'
import type { Scheduler } from '../platform/scheduler.ts'
import { createCallbacks } from './payment.callbacks.ts'
import type { IntentionRecord, ReversalAnswer, TransactionRecord } from './payment.records.ts'
import { createReplay } from './payment.replay.ts'
import {
  bankAnswers,
  type CardScenario,
  cardOf,
  otherAmountThan,
  scenarioOf,
  type WidgetRefusal,
  widgetRefusals,
} from './payment.scenarios.ts'
import type { PaymentState } from './payment.state.ts'

interface CardEntry {
  number: string
  /** `MM/YY`. */
  expiry: string
}

/** The cardholder's answer to the bank (3-D Secure). */
type Challenge = 'passed' | 'failed'

type PayAnswer =
  | { kind: 'not-payable'; status: 'pending' | 'paid' | 'refunded' | 'voided' | 'expired' }
  /** The cardholder must confirm (3-D Secure): call again with the cardholder's answer. */
  | { kind: 'challenge' }
  /** The page receives no result. */
  | { kind: 'silence' }
  /** The page receives the bank's message instead of the redirect's query; the form accepts another card. */
  | { kind: 'declined'; message: string }
  /** The widget passes it on instead of a result. */
  | { kind: 'refused'; status: number; data: unknown }
  | { kind: 'ended'; query: Record<string, string>; redirectUrl: string | null }

interface PaymentServiceOptions {
  clock: Clock
  state: PaymentState
  deliveries: Deliveries
  scheduler: Scheduler
  hmacSecret: string
}

/** The payments of the simulated provider: by card, by replay, refunds and voids. */
export function createPaymentService(options: PaymentServiceOptions) {
  const { clock, state, deliveries, scheduler, hmacSecret } = options
  const callbacks = createCallbacks({ state, deliveries, hmacSecret })
  let nextRefusal: WidgetRefusal | undefined

  async function settleAndAnnounce(
    intention: IntentionRecord,
    transaction: TransactionRecord,
    scenario: Pick<CardScenario, 'callback' | 'savesCard'>,
  ): Promise<void> {
    state.settle(transaction)
    if (scenario.savesCard) await callbacks.announceSavedCard(intention, transaction)
    const plan = { mode: scenario.callback }
    await callbacks.announce(intention, plan, [callbacks.callbackObjectOf(intention, transaction)]).attempted
  }

  function charge(
    intention: IntentionRecord,
    number: string,
    scenario: CardScenario,
    challenge: Challenge | undefined,
  ): TransactionRecord {
    const isMismatch = scenario.callback === 'mismatch'
    return state.charge(intention, {
      amountHalalas: isMismatch ? otherAmountThan(intention.amountHalalas) : intention.amountHalalas,
      card: cardOf(number),
      answer: scenario.hasChallenge && challenge === 'failed' ? bankAnswers.challengeFailed : scenario.answer,
      isSecure: scenario.hasChallenge && challenge === 'passed',
      processingMs: scenario.processingMs,
      refusesRefunds: scenario.refusesRefunds,
      isUnusual: scenario.isUnusual,
      lagMs: scenario.lagMs,
    })
  }

  async function pay(
    intention: IntentionRecord,
    { number, expiry }: CardEntry,
    challenge: Challenge | undefined,
  ): Promise<PayAnswer> {
    const status = state.statusOf(intention)
    if (status !== 'open') return { kind: 'not-payable', status }
    const scenario = scenarioOf(number, expiry)
    const refusal = nextRefusal ?? scenario.refusal
    nextRefusal = undefined
    if (refusal !== null && refusal !== 'already-paid') return { kind: 'refused', ...widgetRefusals[refusal] }
    if (scenario.hasChallenge && challenge === undefined) return { kind: 'challenge' }

    const transaction = charge(intention, number, scenario, challenge)
    // A reset in the meantime has dropped the intention.
    if (scenario.processingMs > 0 && !(await scheduler.pause(scenario.processingMs)))
      return { kind: 'not-payable', status: 'expired' }
    await settleAndAnnounce(intention, transaction, scenario)
    if (refusal !== null) return { kind: 'refused', ...widgetRefusals[refusal] }
    return answerOf(intention, transaction, scenario)
  }

  function answerOf(
    intention: IntentionRecord,
    transaction: TransactionRecord,
    scenario: CardScenario,
  ): PayAnswer {
    if (!scenario.isPageTold) return { kind: 'silence' }
    if (!transaction.answer.isApproved && !scenario.hasDeclineQuery)
      return { kind: 'declined', message: transaction.answer.message }
    const query = callbacks.queryOf(callbacks.callbackObjectOf(intention, transaction))
    return { kind: 'ended', query, redirectUrl: callbacks.redirectUrlOf(intention, query) }
  }

  /** Sends the callbacks of a reversal; their arrival is not awaited. */
  function announced(answer: ReversalAnswer): ReversalAnswer {
    if (answer.kind === 'refused') return answer
    const intention = state.findById(answer.parent.intentionId)
    if (intention !== undefined)
      callbacks.announce(intention, { mode: 'send' }, callbacks.reversalObjects(intention, answer))
    return answer
  }

  return {
    pay,
    replay: createReplay({ clock, state, callbacks }),

    /** The next payment in a card form gets this refusal, with any card; undefined removes it. */
    refuseNext(refusal: WidgetRefusal | undefined): void {
      nextRefusal = refusal
    },

    /** A refund, as the merchant's own call asks for it. */
    refund: (transactionId: number, amountHalalas: number) =>
      announced(state.refund(transactionId, amountHalalas)),
    void: (transactionId: number) => announced(state.void(transactionId)),

    describe: callbacks.describe,
    redirectUrlOf: callbacks.redirectUrlOf,
    redirectQueryOf: callbacks.redirectQueryOf,

    /** Continues the payments that were pending when the simulator stopped. */
    resume(): void {
      for (const transaction of state.pendingTransactions()) {
        const intention = state.findById(transaction.intentionId)
        if (intention === undefined) continue
        scheduler.after((transaction.settlesAt ?? 0) - clock.now(), () =>
          settleAndAnnounce(intention, transaction, { callback: 'send', savesCard: false }),
        )
      }
    },
  }
}
export type PaymentService = ReturnType<typeof createPaymentService>
