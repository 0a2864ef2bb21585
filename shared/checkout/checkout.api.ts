import { PaymentStart } from '#shared/orders/orders.schemas.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { IdempotencyHeaders } from '#shared/platform/platform.schemas.ts'
import * as endpoints from './checkout.operations.ts'
import { CheckoutRequest, PaymentOrderRequest } from './checkout.schemas.ts'

const feature = 'checkout'

const errors = [
  'CHECKOUT_REFUSED',
  'IDEMPOTENCY_CONFLICT',
  'SALES_STOPPED',
  'TOO_MANY_OPEN_ORDERS',
  'ORDER_NOT_PAYABLE',
  'PAYMENT_UNCHECKED',
  'PAYMENT_UNAVAILABLE',
  'AGENTS_UNAVAILABLE',
  'CENTERS_UNAVAILABLE',
] as const

export const checkout = defineOperation({
  ...endpoints.checkout,
  summary: 'Create an order and open its payment',
  feature,
  headers: IdempotencyHeaders,
  body: CheckoutRequest,
  response: PaymentStart,
  errors,
})

export const createPaymentOrder = defineOperation({
  method: 'POST',
  path: '/api/payments/orders',
  summary: 'Create an order and open its payment, in the shape of the spec’s create-payment-order call',
  feature,
  access: 'user',
  headers: IdempotencyHeaders,
  body: PaymentOrderRequest,
  response: PaymentStart,
  errors,
})

export const checkoutOperations = { checkout, createPaymentOrder } as const
