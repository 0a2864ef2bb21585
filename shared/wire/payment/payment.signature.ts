import type { CardToken, Transaction } from './payment.wire.ts'

/**
 * The signature of a callback or a redirect is `HMAC-SHA512(key = HMAC secret in UTF-8, text)` in lower-case hex. It
 * covers the fields below; other fields can be trusted only after an inquiry (docs/wires/payment.md P22 and P25).
 */

/** The signed text joins the fields in this order, without separators. */
const signedTransactionFields = [
  'amount_cents',
  'created_at',
  'currency',
  'error_occured',
  'has_parent_transaction',
  'id',
  'integration_id',
  'is_3d_secure',
  'is_auth',
  'is_capture',
  'is_refunded',
  'is_standalone_payment',
  'is_voided',
  'order.id',
  'owner',
  'pending',
  'source_data.pan',
  'source_data.sub_type',
  'source_data.type',
  'success',
] as const

const signedTokenFields = [
  'card_subtype',
  'created_at',
  'email',
  'id',
  'masked_pan',
  'merchant_id',
  'order_id',
  'token',
] as const

type Signed = string | number | boolean | null | undefined

/** Null adds nothing to the signed text (docs/wires/payment.md P23). */
const textOf = (value: Signed) => (value === null || value === undefined ? '' : String(value))

export function signedValuesOf(transaction: Transaction): (readonly [field: string, value: Signed])[] {
  const fields: Record<(typeof signedTransactionFields)[number], Signed> = {
    ...transaction,
    'order.id': transaction.order.id,
    'source_data.pan': transaction.source_data.pan,
    'source_data.sub_type': transaction.source_data.sub_type,
    'source_data.type': transaction.source_data.type,
  }
  return signedTransactionFields.map((field) => [field, fields[field]])
}

export function transactionSignatureText(transaction: Transaction): string {
  return signedValuesOf(transaction)
    .map(([, value]) => textOf(value))
    .join('')
}

/**
 * The signed text joins `order.id` and `owner` without a separator, so these other order ids give the same text: a
 * receiver with such an order cannot know which of the two is signed.
 */
export function otherOrderIds({ order, owner }: Pick<Transaction, 'order' | 'owner'>): number[] {
  const digits = `${order.id}${owner ?? ''}`
  return Array.from({ length: digits.length }, (_, index) => index + 1)
    .filter((cut) => cut === digits.length || digits[cut] !== '0')
    .map((cut) => Number(digits.slice(0, cut)))
    .filter((id) => id !== order.id && Number.isSafeInteger(id))
}

/**
 * The values of the query are already decoded. The id of the order is in `order`, otherwise in `order_id`
 * (docs/wires/payment.md P32).
 */
export function redirectSignatureText(query: Readonly<Record<string, string | undefined>>): string {
  return signedTransactionFields
    .map((field) => textOf(field === 'order.id' ? (query.order ?? query.order_id) : query[field]))
    .join('')
}

export function tokenSignatureText(token: CardToken): string {
  return signedTokenFields.map((field) => textOf(token[field])).join('')
}
