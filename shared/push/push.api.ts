import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './push.operations.ts'
import { PushSubscriptionBody } from './push.schemas.ts'

const feature = 'push'

export const readPush = defineOperation({
  ...endpoints.readPush,
  summary: 'Whether this browser gets push messages about the user’s bags, and the key to subscribe with',
  feature,
  response: successOf({
    publicKey: Type.Union([Type.String(), Type.Null()], {
      description: 'VAPID key, base64url; null where no push messages are sent.',
    }),
    isOn: Type.Boolean({ description: 'The session of this call has a subscription.' }),
  }),
})

export const subscribePush = defineOperation({
  ...endpoints.subscribePush,
  summary: 'Send messages about the user’s bags to this browser, in place of SMS, until its session ends',
  feature,
  body: PushSubscriptionBody,
  response: successOf({}),
  errors: ['PUSH_NOT_OFFERED', 'PUSH_ENDPOINT_REFUSED', 'PUSH_ENDPOINT_TAKEN', 'TOO_MANY_CALLS'],
})

export const unsubscribePush = defineOperation({
  ...endpoints.unsubscribePush,
  summary: 'Send this browser no more push messages; also succeeds where none are sent',
  feature,
  body: NoBody,
  response: successOf({}),
  errors: ['PUSH_NOT_OFFERED'],
})

export const pushOperations = { readPush, subscribePush, unsubscribePush } as const
