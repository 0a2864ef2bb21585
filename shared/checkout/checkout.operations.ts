import { defineOperation } from '#shared/platform/operation.ts'
import { IdempotencyHeaders } from '#shared/platform/platform.schemas.ts'
import { CheckoutRequest, PaymentOrderRequest, PaymentStart } from './checkout.schemas.ts'

const room = 'checkout'

export const checkout = defineOperation({
  method: 'POST',
  path: '/api/checkout',
  summary: 'Place an order and open its payment',
  room,
  caller: 'user',
  headers: IdempotencyHeaders,
  body: CheckoutRequest,
  response: PaymentStart,
})

export const createPaymentOrder = defineOperation({
  method: 'POST',
  path: '/api/payments/orders',
  summary: 'Place an order and open its payment, in the words of the spec’s create-payment-order call',
  room,
  caller: 'user',
  headers: IdempotencyHeaders,
  body: PaymentOrderRequest,
  response: PaymentStart,
})

export const checkoutOperations = { checkout, createPaymentOrder } as const
