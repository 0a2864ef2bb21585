import type { PaymentSummary, Subject } from '../platform/journal.entry.ts'
import { type Describe, distinct, noSubject, readOrderNumber } from '../platform/subject.ts'
import { bodyOf } from './payment.credentials.ts'
import { type IntentionRecord, isPaid } from './payment.records.ts'
import { idOf, isRecord } from './payment.rules.ts'
import type { PaymentWorld } from './payment.world.ts'

/** A payment in the eyes of testers: `paid` only where the charge is what was asked. */
export function summaryOf(world: PaymentWorld, intention: IntentionRecord): PaymentSummary {
  const asked = intention.amountHalalas
  const charged = world.transactionsOf(intention).findLast(isPaid)?.amountHalalas ?? null
  const differs = charged !== null && charged !== asked
  const status = world.statusOf(intention)
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

export function subjectOfIntention(
  world: PaymentWorld,
  intention: IntentionRecord,
): Omit<Subject, 'operation'> {
  const { id, reference, orderId, billing } = intention
  const transactions = world.transactionsOf(intention).map((transaction) => String(transaction.id))
  return {
    orders: distinct([orderNumberOf(intention)]),
    phone: billing.phone_number,
    refs: distinct([reference, id, String(orderId), ...transactions]),
    payment: summaryOf(world, intention),
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Requests name a payment by its client secret, its reference, its number at the provider or a transaction. */
export const describePayment =
  (world: PaymentWorld): Describe =>
  (request) => {
    const body = bodyOf(request)
    const params = isRecord(request.params) ? request.params : {}
    const secret = textOf(params.clientSecret) ?? textOf(body.clientSecret)
    const reference = textOf(body.merchant_order_id) ?? textOf(body.special_reference)
    const transactionId = idOf(params.id ?? body.transaction_id)
    const orderId = idOf(body.order_id)
    const transaction = transactionId === undefined ? undefined : world.findTransaction(transactionId)
    const intention =
      (secret === undefined ? undefined : world.findByClientSecret(secret)) ??
      (transaction === undefined ? undefined : world.findById(transaction.intentionId)) ??
      (orderId === undefined ? undefined : world.findByOrderId(orderId)) ??
      (reference === undefined ? undefined : world.findByReference(reference))
    if (intention !== undefined) return subjectOfIntention(world, intention)

    const { extras, billing_data: billing } = body
    return {
      ...noSubject(),
      orders: distinct([isRecord(extras) ? readOrderNumber(extras.order_number) : undefined]),
      phone: (isRecord(billing) ? textOf(billing.phone_number) : undefined) ?? null,
      refs: distinct([reference, orderId?.toString(), transactionId?.toString()]),
    }
  }
