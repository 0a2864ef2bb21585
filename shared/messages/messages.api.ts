import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'

export const receiveMessageStatus = defineOperation({
  method: 'POST',
  path: '/api/messages/callback',
  summary: 'The SMS service’s signed report of a message',
  feature: 'messages',
  access: 'provider',
  query: Type.Object({
    message: Type.String({
      pattern: '^\\d{1,15}\\.$',
      description:
        'Our number of the message and a full stop. The signature covers the address and the fields without a separator: the full stop keeps digits from being moved between them.',
    }),
  }),
  body: Type.Record(Type.String(), Type.String(), {
    description: 'The form of the provider, as shared/wire/messaging describes it.',
  }),
  response: successOf({}),
  consumes: ['application/x-www-form-urlencoded'],
  errors: ['MESSAGE_CALLBACK_REFUSED'],
})

export const messagesOperations = { receiveMessageStatus } as const
