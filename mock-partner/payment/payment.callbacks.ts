import { signedValuesOf, tokenSignatureText } from '#shared/wire/payment/payment.signature.ts'
import type { Deliveries, Delivery } from '../platform/deliveries.ts'
import type { CallbackProof, FieldDifference } from '../platform/journal.entry.ts'
import type { IntentionRecord, TransactionRecord } from './payment.records.ts'
import { cancelQuery, redirectQuery, withQuery } from './payment.redirect.wire.ts'
import { referencesOfIntention } from './payment.references.ts'
import { type CallbackMode, lateCallbackMs } from './payment.scenarios.ts'
import type { PaymentState } from './payment.state.ts'
import {
  callbackEnvelope,
  cardTokenObject,
  signTransaction,
  type TransactionForm,
  type TransactionObject,
  transactionObject,
  unusualTransaction,
} from './payment.transaction.wire.ts'
import { sign } from './payment.wire.ts'

type CallbackPlan = { mode: CallbackMode | 'thrice'; delayMs?: number | undefined }

const copiesOf = (mode: CallbackPlan['mode']): number => {
  if (mode === 'thrice') return 3
  return mode === 'twice' ? 2 : 1
}

/** The provider's messages about a payment: transactions on the wire, callbacks, redirects. */
export function createCallbacks({
  state,
  deliveries,
  hmacSecret,
}: {
  state: PaymentState
  deliveries: Deliveries
  hmacSecret: string
}) {
  const forgedKey = `${hmacSecret} forged`

  const objectOf = (intention: IntentionRecord, transaction: TransactionRecord, form: TransactionForm) =>
    transactionObject(intention, transaction, state.paidHalalasOf(intention), form)

  const inItsForm = (object: TransactionObject): object =>
    state.findTransaction(object.id)?.isUnusual ? unusualTransaction(object) : object

  /** Signed fields that are not what the receiver has reason to expect: the amount asked for, and what an inquiry says. */
  function differencesOf(intention: IntentionRecord, sent: TransactionObject): FieldDifference[] {
    const transaction = state.findTransaction(sent.id)
    if (transaction === undefined) return [{ field: 'id', sent: sent.id, expected: null }]
    const recorded = new Map(signedValuesOf(objectOf(intention, transaction, 'callback')))
    if (transaction.kind === 'payment') recorded.set('amount_cents', intention.amountHalalas)
    return signedValuesOf(sent).flatMap(([field, value = null]) => {
      const expected = recorded.get(field) ?? null
      return value === expected ? [] : [{ field, sent: value, expected }]
    })
  }

  function post(
    intention: IntentionRecord,
    plan: CallbackPlan,
    callback: {
      operation: string
      about: Record<string, string | number>
      body: unknown
      hmac: string
      proof: CallbackProof
    },
  ): { made: Delivery[]; attempted: Promise<unknown> } {
    if (intention.notificationUrl === null) return { made: [], attempted: Promise.resolve() }
    const order = {
      service: 'payment',
      group: intention.id,
      about: { ...callback.about, mode: plan.mode },
      url: withQuery(intention.notificationUrl, { hmac: callback.hmac }),
      content: {
        body: JSON.stringify(callback.body),
        headers: {},
        operation: callback.operation,
        references: referencesOfIntention(state, intention),
        proof: callback.proof,
      },
      delayMs: plan.delayMs ?? (plan.mode === 'late' ? lateCallbackMs : 0),
      // A forger does not repeat: only the provider does.
      retries: plan.mode !== 'forge',
    }
    if (plan.mode === 'lose') return { made: [deliveries.lose(order)], attempted: Promise.resolve() }
    // Copies are sent at the same moment, so that the receiver has to handle them concurrently.
    const sent = Array.from({ length: copiesOf(plan.mode) }, () => deliveries.send(order))
    return {
      made: sent.map(({ delivery }) => delivery),
      attempted: Promise.all(sent.map(({ attempted }) => attempted)),
    }
  }

  return {
    /** `obj` of a callback. */
    callbackObjectOf: (intention: IntentionRecord, transaction: TransactionRecord) =>
      objectOf(intention, transaction, 'callback'),

    /** A transaction as it goes over the wire; undefined when its intention is gone. */
    describe(transaction: TransactionRecord, form: TransactionForm): object | undefined {
      const intention = state.findById(transaction.intentionId)
      return intention === undefined ? undefined : inItsForm(objectOf(intention, transaction, form))
    },

    /** The payment with its new flags, then the child transaction that returned the money. */
    reversalObjects(
      intention: IntentionRecord,
      { parent, child }: { parent: TransactionRecord; child: TransactionRecord },
    ): TransactionObject[] {
      const objects = [objectOf(intention, child, 'callback')]
      return child.answer.isApproved ? [objectOf(intention, parent, 'callback'), ...objects] : objects
    },

    /** `attempted` resolves when every callback without a delay has been attempted once. */
    announce(intention: IntentionRecord, plan: CallbackPlan, objects: TransactionObject[]) {
      const isForged = plan.mode === 'forge'
      const posts = objects.map((obj) =>
        post(intention, plan, {
          operation: 'payment-callback',
          about: {
            type: 'TRANSACTION',
            transactionId: obj.id,
            amount: obj.amount_cents,
            asked: intention.amountHalalas,
          },
          body: callbackEnvelope(inItsForm(obj)),
          hmac: signTransaction(obj, isForged ? forgedKey : hmacSecret),
          proof: { key: isForged ? 'wrong-key' : 'valid', differences: differencesOf(intention, obj) },
        }),
      )
      return {
        made: posts.flatMap(({ made }) => made),
        attempted: Promise.all(posts.map(({ attempted }) => attempted)),
      }
    },

    /** A saved card's callback, sent without delay. */
    announceSavedCard(intention: IntentionRecord, transaction: TransactionRecord): Promise<unknown> {
      const token = cardTokenObject(intention, transaction, state.reserveId())
      return post(
        intention,
        { mode: 'send' },
        {
          operation: 'saved-card-callback',
          about: { type: 'TOKEN', transactionId: transaction.id },
          body: { type: 'TOKEN', obj: token },
          hmac: sign(tokenSignatureText(token), hmacSecret),
          proof: { key: 'valid', differences: [] },
        },
      ).attempted
    },

    /** The address the browser is sent to; null when the intention names none. */
    redirectUrlOf: (intention: IntentionRecord, query: Record<string, string>): string | null =>
      intention.redirectionUrl === null ? null : withQuery(intention.redirectionUrl, query),

    redirectQueryOf(transaction: TransactionRecord): Record<string, string> | undefined {
      const intention = state.findById(transaction.intentionId)
      return intention && redirectQuery(objectOf(intention, transaction, 'callback'), hmacSecret)
    },

    queryOf: (object: TransactionObject) => redirectQuery(object, hmacSecret),
    cancelQueryOf: (intention: IntentionRecord) => cancelQuery(intention, hmacSecret),
    forgedSignature: () => sign('forged', forgedKey),
  }
}
export type Callbacks = ReturnType<typeof createCallbacks>
