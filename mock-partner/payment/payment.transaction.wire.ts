import { transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import type { CardToken } from '#shared/wire/payment/payment.wire.ts'
import type { IntentionRecord, TransactionRecord } from './payment.records.ts'
import { extrasOf, ksaTime, merchant, sign } from './payment.wire.ts'

/** Callbacks and inquiries differ slightly, as the published samples do. */
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
    // Not a sign of success: an approved payment can have "0" (docs/wires/payment.md P30).
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
 * A transaction on the wire: `obj` of a callback, or the answer of an inquiry.
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
