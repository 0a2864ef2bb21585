import Type from 'typebox'
import { PaymentStart } from '#shared/checkout/checkout.schemas.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody, NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'

const room = 'payments'

export const renewPayment = defineOperation({
  method: 'POST',
  path: '/api/orders/:id/payment',
  summary: 'A fresh client secret for an order still unpaid',
  room,
  caller: 'user',
  params: Type.Object({ id: NumberInPath }, { additionalProperties: false }),
  body: NoBody,
  response: PaymentStart,
})

export const receiveCallback = defineOperation({
  method: 'POST',
  path: '/api/payments/callback',
  summary: 'The provider’s signed word on a transaction',
  room,
  caller: 'provider',
  query: Type.Object({ hmac: Type.Optional(Type.String({ maxLength: 256 })) }),
  body: Type.Unknown({
    description: 'The provider’s envelope; what it must hold is in shared/wire/payment.',
  }),
  response: successOf({}),
})

export const paymentsOperations = { renewPayment, receiveCallback } as const
