import type { CardToken, Transaction } from './payment.wire.ts'

/**
 * The texts a callback or a redirect is signed over. The signature is
 * `HMAC-SHA512(key = HMAC secret in UTF-8, text)` in lower-case hex; each house computes it with its own crypto.
 * Not signed, so never to be trusted without an inquiry: `order.merchant_order_id`, `refunded_amount_cents`,
 * `is_refund`, `is_void`, `is_live`, `parent_transaction`, `data`, `updated_at`, the envelope's `type`.
 */

/** Paths of the signed fields inside a transaction, in the order they are joined without separators. */
export const signedTransactionFields = [
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

/** Null is joined as nothing, which is common practice among integrations; the provider's text does not say. */
const textOf = (value: Signed): string => (value === null || value === undefined ? '' : String(value))

/** Text signed for `obj` of a `TRANSACTION` callback. */
export function transactionSignatureText(transaction: Transaction): string {
  const fields: Record<(typeof signedTransactionFields)[number], Signed> = {
    ...transaction,
    'order.id': transaction.order.id,
    'source_data.pan': transaction.source_data.pan,
    'source_data.sub_type': transaction.source_data.sub_type,
    'source_data.type': transaction.source_data.type,
  }
  return signedTransactionFields.map((field) => textOf(fields[field])).join('')
}

/**
 * Text signed for the query of the redirect, given decoded values. The documents call the order `order_id`, every
 * real address calls it `order`: both are accepted, `order` first.
 */
export function redirectSignatureText(query: Readonly<Record<string, string | undefined>>): string {
  return signedTransactionFields
    .map((field) => textOf(field === 'order.id' ? (query.order ?? query.order_id) : query[field]))
    .join('')
}

/** Text signed for `obj` of a `TOKEN` callback. */
export function tokenSignatureText(token: CardToken): string {
  return signedTokenFields.map((field) => textOf(token[field])).join('')
}
