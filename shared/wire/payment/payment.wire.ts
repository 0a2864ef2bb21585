import Type, { type Static } from 'typebox'

/**
 * This is the wire of Paymob KSA, Intention API (docs/wires/payment.md). Requests and responses are JSON with names in
 * snake_case, amounts in minor units (halalas), and times as ISO 8601 with microseconds and `+03:00`. The base is
 * `https://ksa.paymob.com`.
 */
export const paymentPaths = {
  /** Creating an intention needs `Authorization: Token <secret key>`. */
  createIntention: '/v1/intention/',
  updateIntention: (clientSecret: string) => `/v1/intention/${clientSecret}`,
  /** Checkout pages read an intention by this path, without a secret key. */
  elementIntention: (publicKey: string, clientSecret: string) =>
    `/v1/intention/element/${publicKey}/${clientSecret}/`,
  authTokens: '/api/auth/tokens',
  /** An inquiry about a transaction needs `Authorization: Bearer <auth token>`. */
  transactionInquiry: '/api/ecommerce/orders/transaction_inquiry',
  transaction: (id: number) => `/api/acceptance/transactions/${id}`,
  /** A refund or void needs `Authorization: Token <secret key>`. */
  refund: '/api/acceptance/void_refund/refund',
  void: '/api/acceptance/void_refund/void',
} as const

export const authTokenLifeSeconds = 3_600

const nullable = <const T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const nullableString = nullable(Type.String())

export const BillingData = Type.Object({
  first_name: Type.String({ pattern: '\\S', maxLength: 50 }),
  last_name: Type.String({ pattern: '\\S', maxLength: 50 }),
  email: Type.String({ pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' }),
  phone_number: Type.String({ pattern: '\\S' }),
  apartment: Type.Optional(Type.String()),
  building: Type.Optional(Type.String()),
  street: Type.Optional(Type.String()),
  shipping_method: Type.Optional(Type.String()),
  floor: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  postal_code: Type.Optional(Type.String()),
})
export type BillingData = Static<typeof BillingData>

export const IntentionItem = Type.Object({
  name: Type.String({ maxLength: 50 }),
  amount: Type.Integer(),
  description: Type.Optional(Type.String({ maxLength: 255 })),
  quantity: Type.Optional(Type.Integer()),
  image: Type.Optional(nullableString),
})
export type IntentionItem = Static<typeof IntentionItem>

/** An intention is payable for 36 days, by default and at most (docs/wires/payment.md P9). */
export const longestExpirationSeconds = 3_110_400

const Address = Type.String({ pattern: '^https?://' })

const intentionFields = {
  amount: Type.Integer({
    minimum: 1,
    description: 'Minor units; the sum of the items, if there are items.',
  }),
  payment_methods: Type.Array(Type.Union([Type.Integer(), Type.String()]), {
    minItems: 1,
    description: 'Integration ids as integers. An id spelled as a string is not found.',
  }),
  billing_data: BillingData,
  items: Type.Optional(Type.Array(IntentionItem)),
  special_reference: Type.Optional(
    Type.String({ description: 'Unique; comes back as `merchant_order_id`.' }),
  ),
  expiration: Type.Optional(
    Type.Integer({ minimum: 1, maximum: longestExpirationSeconds, description: 'Seconds.' }),
  ),
  notification_url: Type.Optional(Address),
  redirection_url: Type.Optional(Address),
}

export const CreateIntentionRequest = Type.Object({
  ...intentionFields,
  currency: Type.String(),
  extras: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type CreateIntentionRequest = Static<typeof CreateIntentionRequest>

export const UpdateIntentionRequest = Type.Object({
  accept_order_id: Type.Integer(),
  amount: Type.Optional(intentionFields.amount),
  payment_methods: Type.Optional(intentionFields.payment_methods),
  billing_data: Type.Optional(BillingData),
  items: intentionFields.items,
  special_reference: intentionFields.special_reference,
  expiration: intentionFields.expiration,
  notification_url: intentionFields.notification_url,
  redirection_url: intentionFields.redirection_url,
})
export type UpdateIntentionRequest = Static<typeof UpdateIntentionRequest>

export const IntentionPaymentMethod = Type.Object({
  integration_id: Type.Integer(),
  alias: Type.Optional(nullableString),
  name: Type.Optional(nullableString),
  method_type: Type.Optional(Type.String()),
  currency: Type.Optional(Type.String()),
  live: Type.Optional(Type.Boolean()),
  use_cvc_with_moto: Type.Optional(Type.Boolean()),
})

const integerOrDigits = Type.Union([Type.Integer(), Type.String({ pattern: '^[1-9][0-9]{0,14}$' })])

/**
 * The provider returns this when it has created an intention (201). Callbacks carry `intention_order_id` as
 * `obj.order.id`, but never `id`. Only the fields that a payment needs are required.
 */
export const Intention = Type.Object({
  client_secret: Type.String({ minLength: 1 }),
  intention_order_id: integerOrDigits,
  id: Type.Optional(Type.Unknown()),
  payment_keys: Type.Optional(Type.Unknown()),
  redirection_url: Type.Optional(Type.Unknown()),
  intention_detail: Type.Optional(Type.Unknown()),
  payment_methods: Type.Optional(Type.Unknown()),
  special_reference: Type.Optional(Type.Unknown()),
  extras: Type.Optional(Type.Unknown()),
  confirmed: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.Unknown()),
  created: Type.Optional(Type.Unknown()),
  card_detail: Type.Optional(Type.Unknown()),
  card_tokens: Type.Optional(Type.Unknown()),
  object: Type.Optional(Type.Unknown()),
})
export type Intention = Static<typeof Intention>

/**
 * The element call returns this (200), with `payment_keys` as a map by method name. The shape was read from a third
 * party's front end.
 */
export const ElementIntention = Type.Object({
  payment_keys: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  payment_methods: Type.Optional(Type.Array(IntentionPaymentMethod)),
  intention_detail: Type.Optional(
    Type.Object({ amount: Type.Optional(Type.Integer()), currency: Type.String() }),
  ),
  redirect: Type.Optional(Type.String()),
  error: Type.Optional(Type.Unknown()),
})
export type ElementIntention = Static<typeof ElementIntention>

export const AuthTokenRequest = Type.Object({ api_key: Type.String() })
export type AuthTokenRequest = Static<typeof AuthTokenRequest>

/** The response is 201 (seen by third parties) or 200. The token is valid for `authTokenLifeSeconds`. */
export const AuthToken = Type.Object({ token: Type.String(), profile: Type.Optional(Type.Unknown()) })
export type AuthToken = Static<typeof AuthToken>

const orderId = Type.Union([Type.Integer(), Type.String()])

/**
 * An inquiry names one of the two ids. The response is the most recent transaction of that order, which can hide an
 * earlier success.
 */
export const InquiryRequest = Type.Union([
  Type.Object({ order_id: orderId }),
  Type.Object({ merchant_order_id: Type.String() }),
])
export type InquiryRequest = Static<typeof InquiryRequest>

/**
 * Each signed field has a form that lets the joined text parse in one way only: four digits of a year end the amount,
 * three capitals are the currency, and no number begins with 0 or has a sign. Two pairs are ambiguous: `id` beside
 * `integration_id` (but a receiver knows its own integration), and `order.id` beside `owner` (see `otherOrderIds`).
 */
const signedId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const signedText = nullable(Type.String({ maxLength: 64 }))

export const SourceData = Type.Object({
  pan: signedText,
  type: signedText,
  sub_type: signedText,
  tenure: Type.Optional(Type.Unknown()),
})

export const TransactionOrder = Type.Object({
  id: signedId,
  created_at: Type.Optional(Type.Unknown()),
  amount_cents: Type.Optional(Type.Unknown()),
  currency: Type.Optional(Type.Unknown()),
  merchant_order_id: Type.Optional(Type.Unknown()),
  paid_amount_cents: Type.Optional(Type.Unknown()),
  payment_status: Type.Optional(Type.Unknown()),
})

/**
 * A callback has a transaction as `obj`; an inquiry returns it as the whole response. The signed fields are required.
 * The other fields have any type, because public samples differ from the documents.
 */
export const Transaction = Type.Object({
  id: signedId,
  pending: Type.Boolean(),
  amount_cents: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  success: Type.Boolean(),
  is_auth: Type.Boolean(),
  is_capture: Type.Boolean(),
  is_standalone_payment: Type.Boolean(),
  is_voided: Type.Boolean(),
  is_refunded: Type.Boolean(),
  is_3d_secure: Type.Boolean(),
  integration_id: signedId,
  has_parent_transaction: Type.Boolean(),
  order: TransactionOrder,
  created_at: Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?(Z|[+-]\\d{2}:\\d{2})?$',
  }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  source_data: SourceData,
  error_occured: Type.Boolean(),
  owner: nullable(signedId),

  profile_id: Type.Optional(Type.Unknown()),
  is_void: Type.Optional(Type.Unknown()),
  is_refund: Type.Optional(Type.Unknown()),
  is_captured: Type.Optional(Type.Unknown()),
  is_live: Type.Optional(Type.Unknown()),
  data: Type.Optional(Type.Unknown()),
  payment_key_claims: Type.Optional(Type.Unknown()),
  refunded_amount_cents: Type.Optional(Type.Unknown()),
  captured_amount: Type.Optional(Type.Unknown()),
  parent_transaction: Type.Optional(Type.Unknown()),
  updated_at: Type.Optional(Type.Unknown()),
})
export type Transaction = Static<typeof Transaction>

/** The provider sends a callback by POST to `notification_url?hmac=`. Only `obj` is signed (payment.signature.ts). */
export const TransactionCallback = Type.Object({
  type: Type.Literal('TRANSACTION'),
  obj: Transaction,
  issuer_bank: Type.Optional(Type.Unknown()),
  accept_fees: Type.Optional(Type.Unknown()),
  transaction_processed_callback_responses: Type.Optional(Type.Unknown()),
})
export type TransactionCallback = Static<typeof TransactionCallback>

/**
 * The provider sends a saved card to the address of callbacks, in some cases before its transaction
 * (docs/wires/payment.md P19).
 */
export const CardToken = Type.Object({
  id: Type.Integer(),
  token: Type.String(),
  masked_pan: Type.String(),
  merchant_id: Type.Integer(),
  card_subtype: Type.String(),
  created_at: Type.String(),
  email: Type.String(),
  order_id: orderId,
  user_added: Type.Optional(Type.Boolean()),
  next_payment_intention: Type.Optional(nullableString),
})
export type CardToken = Static<typeof CardToken>

export const TokenCallback = Type.Object({ type: Type.Literal('TOKEN'), obj: CardToken })
export type TokenCallback = Static<typeof TokenCallback>

export const CallbackEnvelope = Type.Object({ type: Type.String(), obj: Type.Unknown() })
export type CallbackEnvelope = Static<typeof CallbackEnvelope>

/** The redirect's query has these keys in this order. All values are strings (docs/wires/payment.md P31). */
export const redirectQueryKeys = [
  'id',
  'pending',
  'amount_cents',
  'success',
  'is_auth',
  'is_capture',
  'is_standalone_payment',
  'is_voided',
  'is_refunded',
  'is_3d_secure',
  'integration_id',
  'profile_id',
  'has_parent_transaction',
  'order',
  'created_at',
  'currency',
  'merchant_commission',
  'accept_fees',
  'discount_details',
  'is_void',
  'is_refund',
  'error_occured',
  'refunded_amount_cents',
  'captured_amount',
  'updated_at',
  'is_settled',
  'bill_balanced',
  'is_bill',
  'owner',
  'merchant_order_id',
  'data.message',
  'source_data.type',
  'source_data.pan',
  'source_data.sub_type',
  'acq_response_code',
  'txn_response_code',
  'hmac',
] as const

export const RedirectQuery = Type.Object({
  id: Type.String(),
  success: Type.String(),
  pending: Type.Optional(Type.String()),
  amount_cents: Type.Optional(Type.String()),
  currency: Type.Optional(Type.String()),
  order: Type.Optional(Type.String()),
  merchant_order_id: Type.Optional(Type.String()),
  'data.message': Type.Optional(Type.String()),
  hmac: Type.Optional(Type.String()),
})
export type RedirectQuery = Static<typeof RedirectQuery>

export const RefundRequest = Type.Object({ transaction_id: orderId, amount_cents: orderId })
export type RefundRequest = Static<typeof RefundRequest>

export const VoidRequest = Type.Object({ transaction_id: orderId })
export type VoidRequest = Static<typeof VoidRequest>

/**
 * The response (200 or 201) to a refund or void is the new child transaction. A 2xx with `success: false` that is not
 * pending is a refusal (docs/wires/payment.md P37).
 */
export const Reversal = Type.Object({
  success: Type.Boolean(),
  pending: Type.Optional(Type.Unknown()),
  id: Type.Optional(Type.Unknown()),
  amount_cents: Type.Optional(Type.Unknown()),
  is_refund: Type.Optional(Type.Unknown()),
  is_void: Type.Optional(Type.Unknown()),
  parent_transaction: Type.Optional(Type.Unknown()),
})
export type Reversal = Static<typeof Reversal>

/**
 * This older form of a callback has a signature over other fields (docs/wires/payment.md P20), so only the id of its
 * intention is used.
 */
export const FlashCallback = Type.Object({
  intention: Type.Object({ id: Type.Optional(Type.Unknown()) }),
  transaction: Type.Unknown(),
  hmac: Type.Optional(Type.Unknown()),
})
export type FlashCallback = Static<typeof FlashCallback>

/**
 * Every refusal has one of these: `detail` (401, 404), `message` (refunds), `code` (406 `unmatched_item_prices`), or a
 * map of field to sentences, nested for objects (400). Clients compare the status and the keys, never the wording.
 */
export const PaymentError = Type.Object({
  detail: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  code: Type.Optional(Type.Unknown()),
})
export type PaymentError = Static<typeof PaymentError>
