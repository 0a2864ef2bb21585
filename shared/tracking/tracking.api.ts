import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'

export const receiveScans = defineOperation({
  method: 'POST',
  path: '/api/tracking/callback',
  summary: 'The courier’s report of scans',
  feature: 'tracking',
  access: 'provider',
  refusedLast: true,
  headers: Type.Object({
    'x-webhook-key': Type.Optional(
      Type.String({ description: 'The secret of the account (SHIPPING_WEBHOOK_KEY).' }),
    ),
  }),
  body: Type.Unknown({
    description: 'An array of records of the courier, as shared/wire/tracking describes them.',
  }),
  response: successOf({}),
  errors: ['TRACKING_CALLBACK_REFUSED'],
})

export const trackingOperations = { receiveScans } as const
