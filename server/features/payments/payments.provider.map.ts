import { cutText } from '#server/platform/cut-text.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { brand } from '#shared/platform/brand.ts'
import type { CreateIntentionRequest, Transaction } from '#shared/wire/payment/payment.wire.ts'
import type { IntentionRequest } from './payments.provider.ts'
import { kindOf, type PaymentReport } from './payments.rules.ts'

export interface CallbackUrls {
  readonly integrationId: number
  readonly notificationUrl: string
  readonly redirectionUrl: string
}

const nameMax = 50

/** The intention has one item of quantity 1, because the sum of items must be the amount (docs/wires/payment.md P6). */
export function intentionRequestOf(request: IntentionRequest, urls: CallbackUrls): CreateIntentionRequest {
  const [first = '', ...rest] = request.customer.name.trim().split(/\s+/)
  return {
    amount: request.amountHalalas,
    currency: request.currency,
    payment_methods: [urls.integrationId],
    items: [{ name: orderNumber(request.orderId), amount: request.amountHalalas, quantity: 1 }],
    billing_data: {
      first_name: cutText(first, nameMax) || 'NA',
      last_name: cutText(rest.join(' '), nameMax) || 'NA',
      // The provider requires an e-mail address, but users give us none.
      email: brand.contact.email,
      phone_number: request.customer.phone,
      country: 'SA',
    },
    special_reference: request.reference,
    expiration: request.lifeSeconds,
    notification_url: urls.notificationUrl,
    redirection_url: urls.redirectionUrl,
    extras: { order_number: request.orderId },
  }
}

const storedTextMax = 200

/** Reads a whole number, also from digits in a text, such as "1500.00". */
export function wholeNumberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}(\.0{1,4})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

function amountOf(value: unknown) {
  const number = wholeNumberOf(value)
  return number !== undefined && number >= 0 ? number : undefined
}

const flagOf = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const textOf = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
/** Drops objects, because they could identify the payer. */
const scalarOf = (value: unknown) =>
  typeof value === 'string'
    ? cutText(value, storedTextMax)
    : typeof value === 'number' || typeof value === 'boolean'
      ? value
      : undefined
const partOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/**
 * The signature does not cover these fields. An unreadable value counts as absent (`refunded_amount_cents`: as
 * `unreadable`).
 */
const unsigned = {
  is_void: flagOf,
  is_refund: flagOf,
  parent_transaction: wholeNumberOf,
  refunded_amount_cents: amountOf,
  'order.merchant_order_id': textOf,
  'order.paid_amount_cents': wholeNumberOf,
} as const

function unsignedOf(transaction: Transaction, field: keyof typeof unsigned): unknown {
  return field.startsWith('order.')
    ? partOf(transaction.order)[field.slice('order.'.length)]
    : partOf(transaction)[field]
}

export function reportOf(transaction: Transaction): PaymentReport {
  const dropped = (Object.keys(unsigned) as (keyof typeof unsigned)[]).filter((field) => {
    const value = unsignedOf(transaction, field)
    return value !== undefined && value !== null && unsigned[field](value) === undefined
  })
  const { order } = transaction
  return {
    transactionId: String(transaction.id),
    kind: kindOf({
      ...transaction,
      is_void: flagOf(transaction.is_void),
      is_refund: flagOf(transaction.is_refund),
    }),
    isChild: transaction.has_parent_transaction,
    providerOrderId: order.id,
    merchantReference: textOf(order.merchant_order_id) ?? null,
    amountHalalas: transaction.amount_cents,
    currency: transaction.currency,
    orderPaidHalalas: wholeNumberOf(order.paid_amount_cents) ?? null,
    refundedHalalas: dropped.includes('refunded_amount_cents')
      ? 'unreadable'
      : (amountOf(transaction.refunded_amount_cents) ?? null),
    raw: recordOf(transaction),
    dropped,
  }
}

export function parentOf(transaction: Transaction): number | undefined {
  return transaction.has_parent_transaction ? wholeNumberOf(transaction.parent_transaction) : undefined
}

/** Keeps the signed fields, so that the signature can be verified again, and leaves out the payer's name and phone. */
function recordOf(transaction: Transaction): object {
  const { order, source_data } = transaction
  const data = partOf(transaction.data)
  return {
    id: transaction.id,
    parent_transaction: scalarOf(transaction.parent_transaction),
    has_parent_transaction: transaction.has_parent_transaction,
    created_at: transaction.created_at,
    updated_at: scalarOf(transaction.updated_at),
    amount_cents: transaction.amount_cents,
    captured_amount: scalarOf(transaction.captured_amount),
    refunded_amount_cents: scalarOf(transaction.refunded_amount_cents),
    currency: transaction.currency,
    success: transaction.success,
    pending: transaction.pending,
    error_occured: transaction.error_occured,
    is_auth: transaction.is_auth,
    is_capture: transaction.is_capture,
    is_captured: scalarOf(transaction.is_captured),
    is_refund: scalarOf(transaction.is_refund),
    is_refunded: transaction.is_refunded,
    is_void: scalarOf(transaction.is_void),
    is_voided: transaction.is_voided,
    is_3d_secure: transaction.is_3d_secure,
    is_standalone_payment: transaction.is_standalone_payment,
    is_live: scalarOf(transaction.is_live),
    integration_id: transaction.integration_id,
    owner: transaction.owner,
    order: {
      id: order.id,
      merchant_order_id: scalarOf(order.merchant_order_id),
      amount_cents: scalarOf(order.amount_cents),
      paid_amount_cents: scalarOf(order.paid_amount_cents),
      currency: scalarOf(order.currency),
      payment_status: scalarOf(order.payment_status),
    },
    source_data: { pan: source_data.pan, type: source_data.type, sub_type: source_data.sub_type },
    data: {
      message: scalarOf(data.message),
      txn_response_code: scalarOf(data.txn_response_code),
      acq_response_code: scalarOf(data.acq_response_code),
    },
  }
}
