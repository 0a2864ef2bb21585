import { redirectSignatureText } from '#shared/wire/payment/payment.signature.ts'
import { redirectQueryKeys } from '#shared/wire/payment/payment.wire.ts'
import type { IntentionRecord } from './payment.records.ts'
import type { TransactionObject } from './payment.transaction.wire.ts'
import { sign } from './payment.wire.ts'

type RedirectValues = Partial<Record<(typeof redirectQueryKeys)[number], string>>

function signedQuery(values: RedirectValues, hmacSecret: string): Record<string, string> {
  const query: Record<string, string> = {}
  for (const key of redirectQueryKeys) {
    const value = values[key]
    if (value !== undefined) query[key] = value
  }
  return { ...query, hmac: sign(redirectSignatureText(query), hmacSecret) }
}

/** The signed query of the redirect: flat strings with dots in the names (docs/wires/payment.md P31). */
export function redirectQuery(obj: TransactionObject, hmacSecret: string): Record<string, string> {
  return signedQuery(
    {
      id: String(obj.id),
      pending: String(obj.pending),
      amount_cents: String(obj.amount_cents),
      success: String(obj.success),
      is_auth: String(obj.is_auth),
      is_capture: String(obj.is_capture),
      is_standalone_payment: String(obj.is_standalone_payment),
      is_voided: String(obj.is_voided),
      is_refunded: String(obj.is_refunded),
      is_3d_secure: String(obj.is_3d_secure),
      integration_id: String(obj.integration_id),
      profile_id: String(obj.profile_id),
      has_parent_transaction: String(obj.has_parent_transaction),
      order: String(obj.order.id),
      created_at: obj.created_at,
      currency: obj.currency,
      merchant_commission: '0',
      accept_fees: '0',
      discount_details: '[]',
      is_void: String(obj.is_void),
      is_refund: String(obj.is_refund),
      error_occured: String(obj.error_occured),
      refunded_amount_cents: String(obj.refunded_amount_cents ?? 0),
      captured_amount: '0',
      updated_at: obj.updated_at,
      is_settled: String(obj.is_settled),
      bill_balanced: String(obj.bill_balanced),
      is_bill: String(obj.is_bill),
      owner: String(obj.owner),
      ...(obj.order.merchant_order_id === null ? {} : { merchant_order_id: obj.order.merchant_order_id }),
      'data.message': obj.data.message,
      'source_data.type': obj.source_data.type,
      'source_data.pan': obj.source_data.pan,
      'source_data.sub_type': obj.source_data.sub_type,
      acq_response_code: obj.data.acq_response_code,
      txn_response_code: obj.data.txn_response_code_new,
    },
    hmacSecret,
  )
}

/** The query after a cancelled form: there is no transaction. */
export function cancelQuery(intention: IntentionRecord, hmacSecret: string): Record<string, string> {
  return signedQuery(
    {
      pending: 'false',
      amount_cents: String(intention.amountHalalas),
      success: 'false',
      integration_id: String(intention.integrationId),
      order: String(intention.orderId),
      currency: intention.currency,
      error_occured: 'false',
      ...(intention.reference === null ? {} : { merchant_order_id: intention.reference }),
      'data.message': 'Cancelled by customer',
    },
    hmacSecret,
  )
}

/** Appends a query to an address that may have one already. */
export function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const text = Object.entries(query)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${url}${url.includes('?') ? '&' : '?'}${text}`
}
