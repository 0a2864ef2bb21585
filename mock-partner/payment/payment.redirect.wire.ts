import { redirectSignatureText } from '#shared/wire/payment/payment.signature.ts'
import { redirectQueryKeys } from '#shared/wire/payment/payment.wire.ts'
import type { IntentionRecord } from './payment.records.ts'
import type { TransactionObject } from './payment.transaction.wire.ts'
import { sign } from './payment.wire.ts'

type RedirectValues = Partial<Record<(typeof redirectQueryKeys)[number], unknown>>

/** Without what has no value. */
function signedQuery(values: RedirectValues, hmacSecret: string): Record<string, string> {
  const query: Record<string, string> = {}
  for (const key of redirectQueryKeys) {
    const value = values[key]
    if (value !== undefined && value !== null) query[key] = String(value)
  }
  return { ...query, hmac: sign(redirectSignatureText(query), hmacSecret) }
}

/** The signed query of the redirect: flat strings with dots in the names (docs/wires/payment.md P31). */
export const redirectQuery = (obj: TransactionObject, hmacSecret: string): Record<string, string> =>
  signedQuery(
    {
      ...obj,
      order: obj.order.id,
      merchant_order_id: obj.order.merchant_order_id,
      merchant_commission: 0,
      accept_fees: 0,
      discount_details: '[]',
      refunded_amount_cents: obj.refunded_amount_cents ?? 0,
      captured_amount: 0,
      'data.message': obj.data.message,
      'source_data.type': obj.source_data.type,
      'source_data.pan': obj.source_data.pan,
      'source_data.sub_type': obj.source_data.sub_type,
      acq_response_code: obj.data.acq_response_code,
      txn_response_code: obj.data.txn_response_code_new,
    },
    hmacSecret,
  )

/** The query after a cancelled form: there is no transaction. */
export const cancelQuery = (intention: IntentionRecord, hmacSecret: string): Record<string, string> =>
  signedQuery(
    {
      pending: false,
      amount_cents: intention.amountHalalas,
      success: false,
      integration_id: intention.integrationId,
      order: intention.orderId,
      currency: intention.currency,
      error_occured: false,
      merchant_order_id: intention.reference,
      'data.message': 'Cancelled by customer',
    },
    hmacSecret,
  )

/** Appends a query to an address that may have one already. */
export function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const text = Object.entries(query)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${url}${url.includes('?') ? '&' : '?'}${text}`
}
