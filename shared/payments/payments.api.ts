import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'

export const receiveCallback = defineOperation({
  method: 'POST',
  path: '/api/payments/callback',
  summary: 'The provider’s signed report of a transaction',
  feature: 'payments',
  access: 'provider',
  refusedLast: true,
  bodyBytes: 32 * 1024,
  query: Type.Object({ hmac: Type.Optional(Type.String({ maxLength: 256 })) }),
  body: Type.Unknown({
    description: 'The envelope of the provider, as shared/wire/payment describes it.',
  }),
  response: successOf({}),
  errors: ['CALLBACK_REFUSED'],
})

export const paymentsOperations = { receiveCallback } as const
