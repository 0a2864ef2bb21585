import { createHmac } from 'node:crypto'
import { riyadhOffset, riyadhTimeOf } from '#shared/platform/instant.ts'
import type { ElementIntention, Intention } from '#shared/wire/payment/payment.wire.ts'
import type { IntentionRecord } from './payment.records.ts'

/** The merchant, as a test account of the Kingdom appears in answers. */
export const merchant = {
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

/**
 * `2026-01-15T18:52:15.803661+03:00`. Epoch milliseconds have no microseconds; `micros` gives the last three
 * digits, so that a receiver that rounds them fails its check of the signature.
 */
export function ksaTime(epochMs: number, micros: number): string {
  return `${riyadhTimeOf(epochMs)}${String(micros % 1_000).padStart(3, '0')}${riyadhOffset}`
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

export function intentionObject(intention: IntentionRecord) {
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
  } satisfies Intention
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

export const extrasOf = (intention: IntentionRecord): Record<string, unknown> => ({
  ...intention.extras,
  ...(intention.reference === null ? {} : { merchant_order_id: intention.reference }),
})

/** An answer to a new intention with only what a payment needs, and its number as a text. */
export function unusualIntention({
  id,
  client_secret,
  intention_order_id,
}: ReturnType<typeof intentionObject>) {
  return {
    id,
    client_secret,
    intention_order_id: String(intention_order_id),
    status: null,
    intention_detail: [],
    payment_keys: null,
  }
}
