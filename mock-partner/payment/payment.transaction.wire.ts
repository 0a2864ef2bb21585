import { transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import type { CardToken } from '#shared/wire/payment/payment.wire.ts'
import inquirySample from '#shared/wire/payment/samples/transaction.inquiry.json' with { type: 'json' }
import callbackSample from '#shared/wire/payment/samples/transaction-callback.success.json' with {
  type: 'json',
}
import type { IntentionRecord, TransactionRecord } from './payment.records.ts'
import { extrasOf, ksaTime, merchant, sign } from './payment.wire.ts'

/** Callbacks and inquiries differ slightly, as the published samples do. */
export type TransactionForm = 'callback' | 'inquiry'

const samples = { callback: callbackSample.obj, inquiry: inquirySample }
type Sample = (typeof samples)[TransactionForm]

function orderObject(intention: IntentionRecord, paidHalalas: number, form: TransactionForm) {
  const sample: Sample['order'] = samples[form].order
  return {
    ...sample,
    id: intention.orderId,
    created_at: ksaTime(intention.createdAt, intention.orderId),
    merchant: {
      ...sample.merchant,
      id: merchant.profileId,
      created_at: merchant.createdAt,
      phones: [merchant.phone],
      company_name: merchant.companyName,
    },
    amount_cents: intention.amountHalalas,
    shipping_data: shippingObject(intention, sample.shipping_data),
    currency: intention.currency,
    merchant_order_id: intention.reference,
    paid_amount_cents: paidHalalas,
    items: intention.items.map((item) => ({
      name: item.name,
      description: item.description ?? '',
      amount_cents: item.amount,
      quantity: item.quantity ?? 1,
    })),
    data: form === 'callback' ? { notification_url: intention.notificationUrl } : {},
    payment_status: paidHalalas > 0 ? 'PAID' : 'UNPAID',
  }
}

function shippingObject({ orderId, billing }: IntentionRecord, sample: Sample['order']['shipping_data']) {
  return {
    ...sample,
    id: orderId,
    first_name: billing.first_name,
    last_name: billing.last_name,
    street: billing.street ?? 'NA',
    building: billing.building ?? 'NA',
    floor: billing.floor ?? 'NA',
    apartment: billing.apartment ?? 'NA',
    city: billing.city ?? 'NA',
    state: billing.state ?? 'NA',
    country: billing.country ?? 'NA',
    email: billing.email,
    phone_number: billing.phone_number,
    postal_code: billing.postal_code ?? 'NA',
    order_id: orderId,
    order: orderId,
  }
}

const authenticationOf = ({ isSecure }: TransactionRecord) =>
  isSecure ? 'AUTHENTICATION_SUCCESSFUL' : 'AUTHENTICATION_NOT_IN_EFFECT'

function gatewayObject(intention: IntentionRecord, transaction: TransactionRecord, sample: Sample['data']) {
  const { id, answer, card } = transaction
  const capturedSar = answer.isApproved ? transaction.amountHalalas / 100 : 0
  const updated = new Date(transaction.updatedAt).toISOString()
  const acquired = acquiredObject(intention, transaction, sample.migs_transaction)
  return {
    ...sample,
    gateway_integration_pk: intention.integrationId,
    created_at: `${updated.slice(0, -1)}000`,
    amount: transaction.amountHalalas,
    currency: intention.currency,
    migs_order: acquirersOrderObject(intention, transaction, sample.migs_order),
    merchant: `TEST${merchant.acquirerId}`,
    migs_result: answer.isApproved ? 'SUCCESS' : 'FAILURE',
    migs_transaction: acquired,
    // Not a sign of success: an approved payment can have "0" (docs/wires/payment.md P30).
    txn_response_code: answer.isApproved ? '0' : answer.transactionCode,
    acq_response_code: answer.acquirerCode,
    message: answer.message,
    merchant_txn_ref: String(id),
    order_info: `aa${intention.orderId}`,
    receipt_no: acquired.receipt,
    transaction_no: acquired.receipt,
    batch_no: acquired.acquirer.batch,
    authorize_id: acquired.authorizationCode,
    card_type: card.brand.toUpperCase(),
    card_num: `${card.first6}xxxxxx${card.last4}`,
    avs_acq_response_code: answer.acquirerCode,
    captured_amount: capturedSar,
    authorised_amount: capturedSar,
    refunded_amount: transaction.refundedHalalas / 100,
    acs_eci: transaction.isSecure ? '02' : null,
    txn_response_code_new: answer.transactionCode,
  }
}

function acquirersOrderObject(
  { orderId, currency }: IntentionRecord,
  transaction: TransactionRecord,
  sample: Sample['data']['migs_order'],
) {
  const sar = transaction.amountHalalas / 100
  const { isApproved } = transaction.answer
  return {
    ...sample,
    amount: sar,
    authenticationStatus: authenticationOf(transaction),
    chargeback: { amount: 0, currency },
    creationTime: new Date(transaction.createdAt).toISOString(),
    currency,
    id: `aa${orderId}`,
    lastUpdatedTime: new Date(transaction.updatedAt).toISOString(),
    merchantAmount: sar,
    merchantCategoryCode: merchant.categoryCode,
    merchantCurrency: currency,
    status: isApproved ? 'CAPTURED' : 'FAILED',
    totalAuthorizedAmount: isApproved ? sar : 0,
    totalCapturedAmount: isApproved ? sar : 0,
    totalRefundedAmount: transaction.refundedHalalas / 100,
  }
}

function acquiredObject(
  { currency }: IntentionRecord,
  transaction: TransactionRecord,
  sample: Sample['data']['migs_transaction'],
) {
  const date = new Date(transaction.createdAt).toISOString().slice(0, 10)
  const authorizationCode = String(transaction.id % 1_000_000).padStart(6, '0')
  const receipt = String(transaction.id).padStart(12, '0')
  return {
    ...sample,
    acquirer: {
      ...sample.acquirer,
      batch: Number(date.replaceAll('-', '')),
      date: date.slice(5).replace('-', ''),
      merchantId: merchant.acquirerId,
      settlementDate: date,
      transactionId: receipt,
    },
    amount: transaction.amountHalalas / 100,
    authenticationStatus: authenticationOf(transaction),
    authorizationCode,
    currency,
    id: String(transaction.id),
    receipt,
    stan: authorizationCode,
    type: transaction.kind.toUpperCase(),
  }
}

/**
 * A transaction on the wire: `obj` of a callback, or the answer of an inquiry. All other fields are as in the
 * published sample of that form.
 * @param paidHalalas what was paid on the whole order.
 */
export function transactionObject(
  intention: IntentionRecord,
  transaction: TransactionRecord,
  paidHalalas: number,
  form: TransactionForm,
) {
  const sample: Sample = samples[form]
  const isPending = transaction.settlesAt !== null
  const isApproved = transaction.answer.isApproved && !isPending
  const isChild = transaction.parentId !== null
  const refunded = transaction.refundedHalalas
  return {
    ...sample,
    id: transaction.id,
    pending: isPending,
    amount_cents: transaction.amountHalalas,
    success: isApproved,
    is_standalone_payment: !isChild,
    is_voided: transaction.isVoided,
    is_refunded: refunded > 0,
    is_3d_secure: transaction.isSecure,
    integration_id: intention.integrationId,
    profile_id: merchant.profileId,
    has_parent_transaction: isChild,
    order: orderObject(intention, paidHalalas, form),
    created_at: ksaTime(transaction.createdAt, transaction.id),
    currency: intention.currency,
    source_data: {
      ...sample.source_data,
      pan: transaction.card.last4,
      sub_type: transaction.card.brand,
    },
    is_void: transaction.kind === 'void',
    is_refund: transaction.kind === 'refund',
    data: gatewayObject(intention, transaction, sample.data),
    payment_key_claims: claimsObject(intention, sample.payment_key_claims),
    error_occured: !isApproved && !isPending,
    refunded_amount_cents: refunded > 0 ? refunded : sample.refunded_amount_cents,
    updated_at: ksaTime(transaction.updatedAt, transaction.id),
    owner: merchant.userId,
    parent_transaction: transaction.parentId,
    ...(form === 'callback' ? {} : { unique_ref: `${intention.integrationId}_${transaction.id}` }),
  }
}

function claimsObject(intention: IntentionRecord, sample: Sample['payment_key_claims']) {
  return {
    ...sample,
    extra: extrasOf(intention),
    user_id: merchant.userId,
    currency: intention.currency,
    order_id: intention.orderId,
    created_by: merchant.userId,
    amount_cents: intention.amountHalalas,
    billing_data: { ...intention.billing, extra_description: 'NA' },
    integration_id: intention.integrationId,
    notification_url: intention.notificationUrl,
    redirection_url: intention.redirectionUrl,
    next_payment_intention: intention.id,
  }
}
export type TransactionObject = ReturnType<typeof transactionObject>

/**
 * The same transaction in a form that public samples show or that nothing forbids: other types, null, lists, missing and
 * added fields. Signed fields and the amounts paid and refunded keep their values. One of four forms, by the id.
 */
export function unusualTransaction(obj: TransactionObject): object {
  const digits = (value: number | null) => (value === null ? null : String(value))
  const parent = obj.parent_transaction
  const forms = [
    {
      data: { ...obj.data, txn_response_code: 200 },
      is_live: null,
      captured_amount: '0.00',
      added_later: { at: 1 },
    },
    { data: [], payment_key_claims: { extra: [] }, is_captured: null, discount_details: null },
    {
      parent_transaction: parent === null ? {} : String(parent),
      refunded_amount_cents: digits(obj.refunded_amount_cents),
      order: { ...obj.order, payment_status: 1, paid_amount_cents: digits(obj.order.paid_amount_cents) },
    },
    {
      data: undefined,
      payment_key_claims: undefined,
      is_live: undefined,
      captured_amount: undefined,
      is_captured: undefined,
      updated_at: undefined,
      order: {
        id: obj.order.id,
        merchant_order_id: obj.order.merchant_order_id,
        paid_amount_cents: obj.order.paid_amount_cents,
      },
    },
  ]
  return { ...obj, ...forms[obj.id % forms.length] }
}

export function callbackEnvelope(obj: object) {
  return {
    type: 'TRANSACTION',
    obj,
    accept_fees: 0,
    issuer_bank: null,
    transaction_processed_callback_responses: null,
  }
}

export function cardTokenObject(
  intention: IntentionRecord,
  transaction: TransactionRecord,
  id: number,
): CardToken {
  return {
    id,
    token: sign(String(id), intention.clientSecret).slice(0, 56),
    masked_pan: `xxxx-xxxx-xxxx-${transaction.card.last4}`,
    merchant_id: merchant.profileId,
    card_subtype: transaction.card.brand,
    created_at: ksaTime(transaction.createdAt, id),
    email: intention.billing.email,
    order_id: String(intention.orderId),
    user_added: false,
    next_payment_intention: intention.id,
  }
}

export function signTransaction(obj: TransactionObject, hmacSecret: string): string {
  return sign(transactionSignatureText(obj), hmacSecret)
}
