import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { PushSubscriptionBody } from './push.schemas.ts'

const feature = 'push'
const path = '/api/push/subscriptions'

export const readPush = defineOperation({
  method: 'GET',
  path,
  summary: 'Whether this browser gets push messages about the user’s bags, and the key to subscribe with',
  feature,
  access: 'user',
  response: successOf({
    publicKey: Type.Union([Type.String(), Type.Null()], {
      description: 'VAPID key, base64url; null where no push messages are sent.',
    }),
    isOn: Type.Boolean({ description: 'The session of this call has a subscription.' }),
  }),
})

export const subscribePush = defineOperation({
  method: 'POST',
  path,
  summary: 'Send messages about the user’s bags to this browser, in place of SMS, until its session ends',
  feature,
  access: 'user',
  body: PushSubscriptionBody,
  response: successOf({}),
  errors: ['PUSH_NOT_OFFERED', 'PUSH_ENDPOINT_REFUSED', 'PUSH_ENDPOINT_TAKEN', 'TOO_MANY_CALLS'],
})

export const unsubscribePush = defineOperation({
  method: 'DELETE',
  path,
  summary: 'Send this browser no more push messages; also succeeds where none are sent',
  feature,
  access: 'user',
  body: NoBody,
  response: successOf({}),
  errors: ['PUSH_NOT_OFFERED'],
})

export const pushOperations = { readPush, subscribePush, unsubscribePush } as const
