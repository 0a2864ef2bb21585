import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { EventStream, NoBody, NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { SharedBooking } from './shares.schemas.ts'

const feature = 'shares'
const strict = { additionalProperties: false }
const params = Type.Object({ id: NumberInPath }, strict)

export const createShare = defineOperation({
  method: 'POST',
  path: '/api/orders/:id/share',
  summary: 'A new link to the journey of the order’s bags; it ends the one before it',
  feature,
  access: 'user',
  params,
  body: NoBody,
  response: successOf({ url: Type.String({ description: 'Shown once: only its hash is stored.' }) }),
  errors: ['ORDER_NOT_FOUND', 'NOTHING_TO_SHARE', 'TOO_MANY_CALLS'],
})

export const readOwnShare = defineOperation({
  method: 'GET',
  path: '/api/orders/:id/share',
  summary: 'When the live link of the order was made; null without one',
  feature,
  access: 'user',
  params,
  response: successOf({ createdAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]) }),
  errors: ['ORDER_NOT_FOUND'],
})

export const endShare = defineOperation({
  method: 'DELETE',
  path: '/api/orders/:id/share',
  summary: 'End the link of the order, if there is one',
  feature,
  access: 'user',
  params,
  body: NoBody,
  response: successOf({}),
  errors: ['ORDER_NOT_FOUND'],
})

export const readShare = defineOperation({
  method: 'GET',
  path: '/api/track/:token',
  summary: 'The journey behind a shared link; ended, expired and unknown links are one 404',
  feature,
  access: 'anyone',
  params: Type.Object({ token: Type.String({ maxLength: 200 }) }, strict),
  response: successOf({ bookings: Type.Array(SharedBooking) }),
  etag: 'weak',
  errors: ['SHARE_NOT_FOUND', 'TOO_MANY_CALLS'],
})

export const readShareEvents = defineOperation({
  method: 'GET',
  path: '/api/track/:token/events',
  summary:
    'A notice at once, and after each change of the journey behind a shared link: read it again, with its ETag. It ends with the link',
  feature,
  access: 'anyone',
  params: readShare.params,
  response: EventStream,
  contentType: 'text/event-stream',
  stream: { event: 'changed', data: Type.Object({}) },
  errors: ['SHARE_NOT_FOUND', 'TOO_MANY_CALLS', 'TOO_MANY_STREAMS'],
})

export const sharesOperations = { createShare, readOwnShare, endShare, readShare, readShareEvents } as const
