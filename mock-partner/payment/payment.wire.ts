import { createHmac } from 'node:crypto'
import { redirectSignatureText, transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import {
  type CardToken,
  type ElementIntention,
  type Intention,
  redirectQueryKeys,
} from '#shared/wire/payment/payment.wire.ts'
import type { IntentionRecord, TransactionRecord } from './payment.world.ts'

/** The merchant, as a test account in the Kingdom looks from outside. */
const merchant = {
  profileId: 11_000,
  userId: 5_000,
  createdAt: '2025-09-20T07:32:28.663211+03:00',
  phone: '+966500000000',
  companyName: 'Test Merchant',
  categoryCode: '4215',
  acquirerId: '600000000',
}

export function sign(text: string, hmacSecret: string): string {
  return createHmac('sha512', hmacSecret).update(text).digest('hex')
}

const riyadhOffsetMs = 3 * 3_600_000

/**
 * `2026-01-15T18:52:15.803661+03:00`. Epoch milliseconds have no microseconds; `micros` makes up the last three
 * digits, because a receiver that rounds them breaks the signature and should find out here.
 */
export function ksaTime(epochMs: number, micros: number): string {
  const local = new Date(epochMs + riyadhOffsetMs).toISOString().slice(0, -1)
  return `${local}${String(micros % 1_000).padStart(3, '0')}+03:00`
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function authProfile() {
  return {
    id: merchant.profileId,
    user: { id: merchant.userId, username: 'merchant' },
    created_at: merchant.createdAt,
    active: true,
    profile_type: 'Merchant',
    phones: [merchant.phone],
    company_name: merchant.companyName,
    country: 'SAU',
    city: 'temp',
  }
}

const paymentMethodOf = (intention: IntentionRecord) => ({
  integration_id: intention.integrationId,
  alias: null,
  name: 'card',
  method_type: 'online',
  currency: intention.currency,
  live: false,
  use_cvc_with_moto: false,
})

const paymentKeyOf = (intention: IntentionRecord) => ({
  integration: intention.integrationId,
  key: base64({ order_id: intention.orderId, amount_cents: intention.amountHalalas }),
  gateway_type: 'MIGS',
  iframe_id: null,
  order_id: intention.orderId,
  redirection_url: intention.redirectionUrl ?? '',
  save_card: false,
})

export function intentionObject(intention: IntentionRecord): Intention {
  return {
    payment_keys: [paymentKeyOf(intention)],
    redirection_url: intention.redirectionUrl,
    intention_order_id: intention.orderId,
    id: intention.id,
    intention_detail: {
      amount: intention.amountHalalas,
      items: intention.items.map((item) => ({
        name: item.name,
        amount: item.amount,
        description: item.description ?? '',
        quantity: item.quantity ?? 1,
        image: item.image ?? null,
      })),
      currency: intention.currency,
      billing_data: { shipping_method: '', postal_code: '', ...intention.billing },
    },
    client_secret: intention.clientSecret,
    payment_methods: [paymentMethodOf(intention)],
    special_reference: intention.reference,
    extras: { creation_extras: extrasOf(intention), confirmation_extras: null },
    confirmed: false,
    status: 'intended',
    created: ksaTime(intention.createdAt, intention.orderId),
    card_detail: null,
    card_tokens: [],
    object: 'paymentintention',
  }
}

/** @param obstacle why it cannot be paid, and where the customer belongs instead. */
export function elementObject(
  intention: IntentionRecord,
  obstacle?: { error: string; redirect: string | null },
): ElementIntention {
  const object = {
    payment_methods: [paymentMethodOf(intention)],
    intention_detail: { amount: intention.amountHalalas, currency: intention.currency },
  }
  if (obstacle === undefined) return { ...object, payment_keys: { card: paymentKeyOf(intention) } }
  return {
    ...object,
    error: obstacle.error,
    ...(obstacle.redirect === null ? {} : { redirect: obstacle.redirect }),
  }
}

const extrasOf = (intention: IntentionRecord): Record<string, unknown> => ({
  ...intention.extras,
  ...(intention.reference === null ? {} : { merchant_order_id: intention.reference }),
})

/** Callbacks and inquiries describe one transaction with small differences, as the published samples do. */
export type TransactionForm = 'callback' | 'inquiry'

function orderObject(intention: IntentionRecord, paidHalalas: number, form: TransactionForm) {
  const fee = form === 'callback' ? 0 : null
  return {
    id: intention.orderId,
    created_at: ksaTime(intention.createdAt, intention.orderId),
    delivery_needed: false,
    merchant: {
      id: merchant.profileId,
      created_at: merchant.createdAt,
      phones: [merchant.phone],
      company_emails: null,
      company_name: merchant.companyName,
      state: null,
      country: 'SAU',
      city: 'temp',
      postal_code: null,
      street: null,
    },
    collector: null,
    amount_cents: intention.amountHalalas,
    shipping_data: {
      id: intention.orderId,
      first_name: intention.billing.first_name,
      last_name: intention.billing.last_name,
      street: intention.billing.street ?? 'NA',
      building: intention.billing.building ?? 'NA',
      floor: intention.billing.floor ?? 'NA',
      apartment: intention.billing.apartment ?? 'NA',
      city: intention.billing.city ?? 'NA',
      state: intention.billing.state ?? 'NA',
      country: intention.billing.country ?? 'NA',
      email: intention.billing.email,
      phone_number: intention.billing.phone_number,
      postal_code: intention.billing.postal_code ?? 'NA',
      extra_description: null,
      shipping_method: 'UNK',
      order_id: intention.orderId,
      order: intention.orderId,
    },
    currency: intention.currency,
    is_payment_locked: false,
    is_return: false,
    is_cancel: false,
    is_returned: false,
    is_canceled: false,
    merchant_order_id: intention.reference,
    wallet_notification: null,
    paid_amount_cents: paidHalalas,
    notify_user_with_email: false,
    items: intention.items.map((item) => ({
      name: item.name,
      description: item.description ?? '',
      amount_cents: item.amount,
      quantity: item.quantity ?? 1,
    })),
    order_url: 'NA',
    commission_fees: fee,
    delivery_fees_cents: fee,
    delivery_vat_cents: fee,
    payment_method: 'tbc',
    merchant_staff_tag: null,
    api_source: 'OTHER',
    data: form === 'callback' ? { notification_url: intention.notificationUrl } : {},
    payment_status: paidHalalas > 0 ? 'PAID' : 'UNPAID',
    terminal_version: null,
  }
}

function gatewayObject(intention: IntentionRecord, transaction: TransactionRecord) {
  const { answer, card } = transaction
  const sar = transaction.amountHalalas / 100
  const capturedSar = answer.isApproved ? sar : 0
  const created = new Date(transaction.createdAt).toISOString()
  const updated = new Date(transaction.updatedAt).toISOString()
  const authentication = transaction.isSecure ? 'AUTHENTICATION_SUCCESSFUL' : 'AUTHENTICATION_NOT_IN_EFFECT'
  const authorizationCode = String(transaction.id % 1_000_000).padStart(6, '0')
  const receipt = String(transaction.id).padStart(12, '0')
  const batch = Number(created.slice(0, 10).replaceAll('-', ''))
  return {
    gateway_integration_pk: intention.integrationId,
    klass: 'MigsPayment',
    created_at: `${updated.slice(0, -1)}000`,
    amount: transaction.amountHalalas,
    currency: intention.currency,
    migs_order: {
      acceptPartialAmount: false,
      amount: sar,
      authenticationStatus: authentication,
      chargeback: { amount: 0, currency: intention.currency },
      creationTime: created,
      currency: intention.currency,
      id: `aa${intention.orderId}`,
      lastUpdatedTime: updated,
      merchantAmount: sar,
      merchantCategoryCode: merchant.categoryCode,
      merchantCurrency: intention.currency,
      status: answer.isApproved ? 'CAPTURED' : 'FAILED',
      totalAuthorizedAmount: capturedSar,
      totalCapturedAmount: capturedSar,
      totalRefundedAmount: transaction.refundedHalalas / 100,
    },
    merchant: `TEST${merchant.acquirerId}`,
    migs_result: answer.isApproved ? 'SUCCESS' : 'FAILURE',
    migs_transaction: {
      acquirer: {
        batch,
        date: created.slice(5, 10).replace('-', ''),
        id: 'NCB_S2I',
        merchantId: merchant.acquirerId,
        settlementDate: created.slice(0, 10),
        timeZone: '+0300',
        transactionId: receipt,
      },
      amount: sar,
      authenticationStatus: authentication,
      authorizationCode,
      currency: intention.currency,
      id: String(transaction.id),
      receipt,
      source: 'INTERNET',
      stan: authorizationCode,
      terminal: 'NCBS2I02',
      type: transaction.kind === 'payment' ? 'PAYMENT' : transaction.kind.toUpperCase(),
    },
    // Success must not be read from here: the published dump of an approved payment says "0".
    txn_response_code: answer.isApproved ? '0' : answer.transactionCode,
    acq_response_code: answer.acquirerCode,
    message: answer.message,
    merchant_txn_ref: String(transaction.id),
    order_info: `aa${intention.orderId}`,
    receipt_no: receipt,
    transaction_no: receipt,
    batch_no: batch,
    authorize_id: authorizationCode,
    card_type: card.brand.toUpperCase(),
    card_num: `${card.first6}xxxxxx${card.last4}`,
    secure_hash: null,
    avs_result_code: null,
    avs_acq_response_code: answer.acquirerCode,
    captured_amount: capturedSar,
    authorised_amount: capturedSar,
    refunded_amount: transaction.refundedHalalas / 100,
    acs_eci: transaction.isSecure ? '02' : null,
    txn_response_code_new: answer.transactionCode,
  }
}

/**
 * A transaction as the outside sees it: `obj` of a callback, or the answer of an inquiry.
 * @param paidHalalas what was paid on the whole order.
 */
export function transactionObject(
  intention: IntentionRecord,
  transaction: TransactionRecord,
  paidHalalas: number,
  form: TransactionForm,
) {
  const isPending = transaction.settlesAt !== null
  const isApproved = transaction.answer.isApproved && !isPending
  const isChild = transaction.parentId !== null
  const none = form === 'callback' ? 0 : null
  return {
    id: transaction.id,
    pending: isPending,
    amount_cents: transaction.amountHalalas,
    success: isApproved,
    is_auth: false,
    is_capture: false,
    is_standalone_payment: !isChild,
    is_voided: transaction.isVoided,
    is_refunded: transaction.refundedHalalas > 0,
    is_3d_secure: transaction.isSecure,
    integration_id: intention.integrationId,
    profile_id: merchant.profileId,
    has_parent_transaction: isChild,
    order: orderObject(intention, paidHalalas, form),
    created_at: ksaTime(transaction.createdAt, transaction.id),
    transaction_processed_callback_responses: [],
    currency: intention.currency,
    source_data: {
      pan: transaction.card.last4,
      type: 'card',
      tenure: null,
      sub_type: transaction.card.brand,
    },
    api_source: 'SDK',
    terminal_id: null,
    merchant_commission: none,
    ...(form === 'callback' ? { accept_fees: 0 } : {}),
    installment: null,
    discount_details: [],
    is_void: transaction.kind === 'void',
    is_refund: transaction.kind === 'refund',
    data: gatewayObject(intention, transaction),
    is_hidden: false,
    payment_key_claims: {
      extra: extrasOf(intention),
      user_id: merchant.userId,
      currency: intention.currency,
      order_id: intention.orderId,
      created_by: merchant.userId,
      is_partner: false,
      amount_cents: intention.amountHalalas,
      billing_data: { ...intention.billing, extra_description: 'NA' },
      integration_id: intention.integrationId,
      notification_url: intention.notificationUrl,
      redirection_url: intention.redirectionUrl,
      lock_order_when_paid: false,
      next_payment_intention: intention.id,
      single_payment_attempt: false,
    },
    error_occured: !isApproved && !isPending,
    is_live: false,
    other_endpoint_reference: null,
    refunded_amount_cents: transaction.refundedHalalas > 0 ? transaction.refundedHalalas : none,
    source_id: -1,
    is_captured: false,
    captured_amount: none,
    merchant_staff_tag: null,
    updated_at: ksaTime(transaction.updatedAt, transaction.id),
    is_settled: false,
    bill_balanced: false,
    is_bill: false,
    owner: merchant.userId,
    parent_transaction: transaction.parentId,
    ...(form === 'callback' ? {} : { unique_ref: `${intention.integrationId}_${transaction.id}` }),
  }
}
export type TransactionObject = ReturnType<typeof transactionObject>

export function callbackEnvelope(obj: TransactionObject) {
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

type RedirectValues = Partial<Record<(typeof redirectQueryKeys)[number], string>>

function signedQuery(values: RedirectValues, hmacSecret: string): Record<string, string> {
  const query: Record<string, string> = {}
  for (const key of redirectQueryKeys) {
    const value = values[key]
    if (value !== undefined) query[key] = value
  }
  return { ...query, hmac: sign(redirectSignatureText(query), hmacSecret) }
}

/** The query the customer's browser brings back: flat, strings, dots in the names, signed. */
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

/** What comes back when the customer gave up: there is no transaction to speak of. */
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

export function signTransaction(obj: TransactionObject, hmacSecret: string): string {
  return sign(transactionSignatureText(obj), hmacSecret)
}
