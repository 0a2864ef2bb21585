import { tokenSignatureText } from '#shared/wire/payment/payment.signature.ts'
import type { Clock } from '../platform/clock.ts'
import type { Deliveries, Delivery } from '../platform/deliveries.ts'
import type { Scheduler } from '../platform/scheduler.ts'
import {
  bankAnswers,
  type CallbackMode,
  type CardScenario,
  lateCallbackMs,
  mismatchHalalas,
  scenarioOf,
  testCards,
} from './payment.scenarios.ts'
import {
  callbackEnvelope,
  cancelQuery,
  cardTokenObject,
  redirectQuery,
  sign,
  signTransaction,
  type TransactionForm,
  type TransactionObject,
  transactionObject,
  withQuery,
} from './payment.wire.ts'
import type {
  Card,
  IntentionRecord,
  PaymentWorld,
  ReversalAnswer,
  ReversalRefusal,
  TransactionRecord,
} from './payment.world.ts'

export const replayOutcomes = ['success', 'decline', 'cancel', 'refund', 'void'] as const
export type ReplayOutcome = (typeof replayOutcomes)[number]

export interface ReplayOrder {
  outcome: ReplayOutcome
  callback: CallbackMode
  /** Undefined leaves the default of the mode. */
  delayMs: number | undefined
}

export type ReplayAnswer =
  | { kind: 'done'; redirectUrl: string | null; callbacks: Delivery[] }
  | { kind: 'unknown' }
  | { kind: 'refused'; reason: ReversalRefusal | 'nothing-to-give-back' | 'mismatch-needs-an-amount' }

export interface CardEntry {
  number: string
  /** `MM/YY`. */
  expiry: string
}

export type PayAnswer =
  | { kind: 'not-payable'; status: 'pending' | 'paid' | 'refunded' | 'voided' | 'expired' }
  /** The holder must confirm; ask again with the holder's answer. */
  | { kind: 'challenge' }
  /** The result is known to everyone but the page. */
  | { kind: 'silence' }
  /** The form takes another card. */
  | { kind: 'declined'; message: string }
  | { kind: 'ended'; query: Record<string, string>; redirectUrl: string | null }

export interface PaymentService {
  pay(
    intention: IntentionRecord,
    card: CardEntry,
    challenge: 'passed' | 'failed' | undefined,
  ): Promise<PayAnswer>
  /** With `send` and no delay the callbacks have been attempted once when this resolves. */
  replay(ref: string, order: ReplayOrder): Promise<ReplayAnswer>
  /** The money back, as the merchant's own call asks for it; callbacks follow by themselves. */
  refund(transactionId: number, amountHalalas: number): ReversalAnswer
  void(transactionId: number): ReversalAnswer
  describe(transaction: TransactionRecord, form: TransactionForm): TransactionObject | undefined
  /** Address the customer's browser would be sent to; null when the intention names none. */
  redirectUrlOf(intention: IntentionRecord, query: Record<string, string>): string | null
  redirectQueryOf(transaction: TransactionRecord): Record<string, string> | undefined
  /** Takes up the payments that were being processed when the simulator went down. */
  resume(): void
}

interface PaymentServiceOptions {
  clock: Clock
  world: PaymentWorld
  deliveries: Deliveries
  scheduler: Scheduler
  hmacSecret: string
}

type CallbackPlan = { mode: CallbackMode | 'thrice'; delayMs?: number | undefined }

const copiesOf = (mode: CallbackPlan['mode']): number => {
  if (mode === 'thrice') return 3
  return mode === 'twice' ? 2 : 1
}

const otherAmountThan = (amountHalalas: number): number => Math.max(1, amountHalalas - mismatchHalalas)

const cardOf = (number: string): Card => ({
  first6: number.slice(0, 6),
  last4: number.slice(-4),
  brand: number.startsWith('4') ? 'Visa' : 'MasterCard',
})

const replayCard = cardOf(testCards[0]?.number ?? '')

export function createPaymentService(options: PaymentServiceOptions): PaymentService {
  const { clock, world, deliveries, scheduler, hmacSecret } = options

  const objectOf = (intention: IntentionRecord, transaction: TransactionRecord, form: TransactionForm) =>
    transactionObject(intention, transaction, world.paidHalalasOf(intention), form)

  function describe(transaction: TransactionRecord, form: TransactionForm): TransactionObject | undefined {
    const intention = world.findById(transaction.intentionId)
    return intention === undefined ? undefined : objectOf(intention, transaction, form)
  }

  function redirectUrlOf(intention: IntentionRecord, query: Record<string, string>): string | null {
    return intention.redirectionUrl === null ? null : withQuery(intention.redirectionUrl, query)
  }

  function post(
    intention: IntentionRecord,
    plan: CallbackPlan,
    callback: { about: Record<string, string | number>; body: unknown; hmac: string },
  ): { made: Delivery[]; attempted: Promise<unknown> } {
    if (intention.notificationUrl === null) return { made: [], attempted: Promise.resolve() }
    const order = {
      group: intention.id,
      about: { ...callback.about, mode: plan.mode },
      url: withQuery(intention.notificationUrl, { hmac: callback.hmac }),
      body: JSON.stringify(callback.body),
      delayMs: plan.delayMs ?? (plan.mode === 'late' ? lateCallbackMs : 0),
      // Whoever forges a callback does not have the provider's patience.
      retries: plan.mode !== 'forge',
    }
    if (plan.mode === 'lose') return { made: [deliveries.lose(order)], attempted: Promise.resolve() }
    // Copies leave together: they race each other on the receiver's side.
    const sent = Array.from({ length: copiesOf(plan.mode) }, () => deliveries.send(order))
    return {
      made: sent.map(({ delivery }) => delivery),
      attempted: order.delayMs > 0 ? Promise.resolve() : Promise.all(sent.map(({ attempted }) => attempted)),
    }
  }

  function announce(intention: IntentionRecord, plan: CallbackPlan, objects: TransactionObject[]) {
    const key = plan.mode === 'forge' ? `${hmacSecret} forged` : hmacSecret
    const posts = objects.map((obj) =>
      post(intention, plan, {
        about: { type: 'TRANSACTION', transactionId: obj.id },
        body: callbackEnvelope(obj),
        hmac: signTransaction(obj, key),
      }),
    )
    return {
      made: posts.flatMap(({ made }) => made),
      attempted: Promise.all(posts.map(({ attempted }) => attempted)),
    }
  }

  function announceSavedCard(intention: IntentionRecord, transaction: TransactionRecord): Promise<unknown> {
    const token = cardTokenObject(intention, transaction, world.reserveId())
    return post(
      intention,
      { mode: 'send' },
      {
        about: { type: 'TOKEN', transactionId: transaction.id },
        body: { type: 'TOKEN', obj: token },
        hmac: sign(tokenSignatureText(token), hmacSecret),
      },
    ).attempted
  }

  async function settleAndAnnounce(
    intention: IntentionRecord,
    transaction: TransactionRecord,
    scenario: Pick<CardScenario, 'callback' | 'savesCard'>,
  ): Promise<void> {
    world.settle(transaction)
    if (scenario.savesCard) await announceSavedCard(intention, transaction)
    const plan = { mode: scenario.callback }
    await announce(intention, plan, [objectOf(intention, transaction, 'callback')]).attempted
  }

  async function pay(
    intention: IntentionRecord,
    { number, expiry }: CardEntry,
    challenge: 'passed' | 'failed' | undefined,
  ): Promise<PayAnswer> {
    const status = world.statusOf(intention)
    if (status !== 'open') return { kind: 'not-payable', status }
    const scenario = scenarioOf(number, expiry)
    if (scenario.hasChallenge && challenge === undefined) return { kind: 'challenge' }

    const isMismatch = scenario.callback === 'mismatch'
    const transaction = world.charge(intention, {
      amountHalalas: isMismatch ? otherAmountThan(intention.amountHalalas) : intention.amountHalalas,
      card: cardOf(number),
      answer: scenario.hasChallenge && challenge === 'failed' ? bankAnswers.challengeFailed : scenario.answer,
      isSecure: scenario.hasChallenge && challenge === 'passed',
      processingMs: scenario.processingMs,
      refusesRefunds: scenario.refusesRefunds,
    })
    // A reset in the meantime has forgotten the intention.
    if (scenario.processingMs > 0 && !(await scheduler.pause(scenario.processingMs)))
      return { kind: 'not-payable', status: 'expired' }
    await settleAndAnnounce(intention, transaction, scenario)

    if (!scenario.isPageTold) return { kind: 'silence' }
    if (!transaction.answer.isApproved && !scenario.endsForm)
      return { kind: 'declined', message: transaction.answer.message }
    const query = redirectQuery(objectOf(intention, transaction, 'callback'), hmacSecret)
    return { kind: 'ended', query, redirectUrl: redirectUrlOf(intention, query) }
  }

  /** A forged callback tells of a payment that the provider knows nothing about. */
  const unrecordedPayment = (
    intention: IntentionRecord,
    outcome: 'success' | 'decline',
  ): TransactionRecord => ({
    ...replayCharge(intention, outcome, 'forge'),
    id: world.reserveId(),
    intentionId: intention.id,
    kind: 'payment',
    parentId: null,
    settlesAt: null,
    isVoided: false,
    refundedHalalas: 0,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  })

  const replayCharge = (intention: IntentionRecord, outcome: 'success' | 'decline', mode: CallbackMode) => ({
    amountHalalas: mode === 'mismatch' ? otherAmountThan(intention.amountHalalas) : intention.amountHalalas,
    card: replayCard,
    answer: outcome === 'success' ? bankAnswers.approved : bankAnswers.declined,
    isSecure: outcome === 'success',
    refusesRefunds: false,
  })

  async function finish(
    intention: IntentionRecord,
    order: ReplayOrder,
    objects: TransactionObject[],
  ): Promise<ReplayAnswer> {
    const { made, attempted } = announce(intention, { mode: order.callback, delayMs: order.delayMs }, objects)
    await attempted
    const [first] = objects
    const query = first === undefined ? cancelQuery(intention, hmacSecret) : redirectQuery(first, hmacSecret)
    if (order.callback === 'forge') query.hmac = sign('forged', `${hmacSecret} forged`)
    return { kind: 'done', redirectUrl: redirectUrlOf(intention, query), callbacks: made }
  }

  async function replayReversal(
    candidates: readonly IntentionRecord[],
    order: ReplayOrder,
  ): Promise<ReplayAnswer> {
    const intention = candidates.find((each) => world.findStandingPayment(each) !== undefined)
    const payment = intention === undefined ? undefined : world.findStandingPayment(intention)
    if (intention === undefined || payment === undefined)
      return { kind: 'refused', reason: 'nothing-to-give-back' }
    const restHalalas = payment.amountHalalas - payment.refundedHalalas

    if (order.callback === 'forge') {
      const forged = {
        ...payment,
        isVoided: order.outcome === 'void',
        refundedHalalas: order.outcome === 'refund' ? payment.amountHalalas : payment.refundedHalalas,
      }
      return finish(intention, order, [objectOf(intention, forged, 'callback')])
    }
    if (order.outcome === 'void' && order.callback === 'mismatch')
      return { kind: 'refused', reason: 'mismatch-needs-an-amount' }
    const amountHalalas = order.callback === 'mismatch' ? otherAmountThan(restHalalas) : restHalalas
    const answer = order.outcome === 'void' ? world.void(payment.id) : world.refund(payment.id, amountHalalas)
    if (answer.kind === 'refused') return answer
    return finish(intention, order, reversalObjects(intention, answer))
  }

  /** The payment is announced again with its new flags, then the child transaction that gave the money back. */
  function reversalObjects(
    intention: IntentionRecord,
    { parent, child }: { parent: TransactionRecord; child: TransactionRecord },
  ): TransactionObject[] {
    const objects = [objectOf(intention, child, 'callback')]
    return child.answer.isApproved ? [objectOf(intention, parent, 'callback'), ...objects] : objects
  }

  function announced(answer: ReversalAnswer): ReversalAnswer {
    if (answer.kind === 'refused') return answer
    const intention = world.findById(answer.parent.intentionId)
    if (intention !== undefined) announce(intention, { mode: 'send' }, reversalObjects(intention, answer))
    return answer
  }

  return {
    pay,

    async replay(ref, order) {
      const candidates = world.findAll(ref)
      const [intention] = candidates
      if (intention === undefined) return { kind: 'unknown' }
      const { outcome, callback } = order
      switch (outcome) {
        case 'cancel':
          return {
            kind: 'done',
            redirectUrl: redirectUrlOf(intention, cancelQuery(intention, hmacSecret)),
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
              : world.charge(intention, { ...replayCharge(intention, outcome, callback), processingMs: 0 })
          return finish(intention, order, [objectOf(intention, transaction, 'callback')])
        }
      }
    },

    refund: (transactionId, amountHalalas) => announced(world.refund(transactionId, amountHalalas)),
    void: (transactionId) => announced(world.void(transactionId)),
    describe,
    redirectUrlOf,
    redirectQueryOf(transaction) {
      const object = describe(transaction, 'callback')
      return object === undefined ? undefined : redirectQuery(object, hmacSecret)
    },

    resume() {
      for (const transaction of world.pendingTransactions()) {
        const intention = world.findById(transaction.intentionId)
        if (intention === undefined) continue
        scheduler.after((transaction.settlesAt ?? 0) - clock.now(), () =>
          settleAndAnnounce(intention, transaction, { callback: 'send', savesCard: false }),
        )
      }
    },
  }
}
