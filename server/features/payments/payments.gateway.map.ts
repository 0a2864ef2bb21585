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
    raw: transaction,
  }
}
