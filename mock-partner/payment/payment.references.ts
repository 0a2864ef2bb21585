import {
  distinct,
  type FindReferences,
  noReferences,
  type PaymentSummary,
  type References,
  readOrderNumber,
  textIn,
} from '../platform/references.ts'
import { bodyOf } from './payment.credentials.ts'
import { type IntentionRecord, isPaid } from './payment.records.ts'
import { idOf, isRecord } from './payment.rules.ts'
import type { PaymentState } from './payment.state.ts'

/** A payment in the eyes of testers: `paid` only where the charge is what was asked. */
export function summaryOf(state: PaymentState, intention: IntentionRecord): PaymentSummary {
  const asked = intention.amountHalalas
  const charged = state.transactionsOf(intention).findLast(isPaid)?.amountHalalas ?? null
  const differs = charged !== null && charged !== asked
  const status = state.statusOf(intention)
  return {
    status: status === 'paid' && differs ? 'amount-differs' : status,
    currency: intention.currency,
    asked,
    charged,
    differs,
  }
}

export const orderNumberOf = ({ extras }: Pick<IntentionRecord, 'extras'>): number | undefined =>
  readOrderNumber(extras.order_number)

export function referencesOfIntention(state: PaymentState, intention: IntentionRecord): References {
  const { id, reference, orderId, billing } = intention
  const transactions = state.transactionsOf(intention).map((transaction) => String(transaction.id))
  return {
    orders: distinct([orderNumberOf(intention)]),
    phone: billing.phone_number,
    refs: distinct([reference, id, String(orderId), ...transactions]),
    payment: summaryOf(state, intention),
  }
}

const found = <K, T>(key: K | undefined, find: (key: K) => T | undefined): T | undefined =>
  key === undefined ? undefined : find(key)

/** Requests name a payment by its client secret, its reference, its number at the provider or a transaction. */
export const findPaymentReferences =
  (state: PaymentState): FindReferences =>
  (request) => {
    const body = bodyOf(request)
    const params = isRecord(request.params) ? request.params : {}
    const secret = textIn(params.clientSecret) ?? textIn(body.clientSecret)
    const reference = textIn(body.merchant_order_id) ?? textIn(body.special_reference)
    const transactionId = idOf(params.id ?? body.transaction_id)
    const orderId = idOf(body.order_id)
    const intention =
      found(secret, state.findByClientSecret) ??
      found(found(transactionId, state.findTransaction)?.intentionId, state.findById) ??
      found(orderId, state.findByOrderId) ??
      found(reference, state.findByReference)
    if (intention !== undefined) return referencesOfIntention(state, intention)

    const { extras, billing_data: billing } = body
    return {
      ...noReferences(),
      orders: distinct([isRecord(extras) ? readOrderNumber(extras.order_number) : undefined]),
      phone: (isRecord(billing) ? textIn(billing.phone_number) : undefined) ?? null,
      refs: distinct([reference, orderId?.toString(), transactionId?.toString()]),
    }
  }
