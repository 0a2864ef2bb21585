import { brand } from '#shared/platform/brand.ts'
import type { CreateIntentionRequest, Transaction } from '#shared/wire/payment/payment.wire.ts'
import type { IntentionRequest } from './payments.gateway.ts'
import { kindOf, type PaymentReport } from './payments.rules.ts'

export interface IntentionPlaces {
  readonly integrationId: number
  readonly notificationUrl: string
  readonly redirectionUrl: string
}

const nameMax = 50

/** One line, quantity 1, so that no reading of "sum of the items" can differ from the amount (facts §2). */
export function intentionRequestOf(
  request: IntentionRequest,
  places: IntentionPlaces,
): CreateIntentionRequest {
  const [first = '', ...rest] = request.customer.name.trim().split(/\s+/)
  return {
    amount: request.amountHalalas,
    currency: request.currency,
    payment_methods: [places.integrationId],
    items: [{ name: `OD-${request.orderId}`, amount: request.amountHalalas, quantity: 1 }],
    billing_data: {
      first_name: first.slice(0, nameMax) || 'NA',
      last_name: rest.join(' ').slice(0, nameMax) || 'NA',
      // Pilgrims give no e-mail address; the provider demands one.
      email: brand.contact.email,
      phone_number: request.customer.phone,
      country: 'SA',
    },
    special_reference: request.reference,
    expiration: request.lifeSeconds,
    notification_url: places.notificationUrl,
    redirection_url: places.redirectionUrl,
    extras: { order_number: request.orderId },
  }
}

export function reportOf(transaction: Transaction): PaymentReport {
  return {
    transactionId: String(transaction.id),
    kind: kindOf(transaction),
    providerOrderId: transaction.order.id,
    merchantReference: transaction.order.merchant_order_id ?? null,
    amountHalalas: transaction.amount_cents,
    currency: transaction.currency,
    orderPaidHalalas: transaction.order.paid_amount_cents ?? null,
    refundedHalalas: transaction.refunded_amount_cents ?? null,
    raw: recordOf(transaction),
  }
}

/**
 * What is kept of the provider's word: what it signed, so that it can be proven again, and what says how the payment
 * went. Named one by one, because the whole of it carries the name, the phone and more of the person who paid, and the
 * tax record needs none of that.
 */
function recordOf(transaction: Transaction): object {
  const { order, source_data, data } = transaction
  return {
    id: transaction.id,
    parent_transaction: transaction.parent_transaction,
    has_parent_transaction: transaction.has_parent_transaction,
    created_at: transaction.created_at,
    updated_at: transaction.updated_at,
    amount_cents: transaction.amount_cents,
    captured_amount: transaction.captured_amount,
    refunded_amount_cents: transaction.refunded_amount_cents,
    currency: transaction.currency,
    success: transaction.success,
    pending: transaction.pending,
    error_occured: transaction.error_occured,
    is_auth: transaction.is_auth,
    is_capture: transaction.is_capture,
    is_captured: transaction.is_captured,
    is_refund: transaction.is_refund,
    is_refunded: transaction.is_refunded,
    is_void: transaction.is_void,
    is_voided: transaction.is_voided,
    is_3d_secure: transaction.is_3d_secure,
    is_standalone_payment: transaction.is_standalone_payment,
    is_live: transaction.is_live,
    integration_id: transaction.integration_id,
    owner: transaction.owner,
    order: {
      id: order.id,
      merchant_order_id: order.merchant_order_id,
      amount_cents: order.amount_cents,
      paid_amount_cents: order.paid_amount_cents,
      currency: order.currency,
      payment_status: order.payment_status,
    },
    // The last four digits and the brand: part of what is signed.
    source_data: { pan: source_data.pan, type: source_data.type, sub_type: source_data.sub_type },
    data: data && {
      message: data.message,
      txn_response_code: data.txn_response_code,
      acq_response_code: data.acq_response_code,
    },
  }
}
