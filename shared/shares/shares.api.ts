import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { EventStream, NoBody, NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './shares.operations.ts'
import { SharedBooking } from './shares.schemas.ts'

const feature = 'shares'
const strict = { additionalProperties: false }
const params = Type.Object({ id: NumberInPath }, strict)

export const createShare = defineOperation({
  ...endpoints.createShare,
  summary: 'A new link to the journey of the order’s bags; it ends the one before it',
  feature,
  params,
  body: NoBody,
  response: successOf({ url: Type.String({ description: 'Shown once: only its hash is stored.' }) }),
  errors: ['ORDER_NOT_FOUND', 'NOTHING_TO_SHARE', 'TOO_MANY_CALLS'],
})

export const readOwnShare = defineOperation({
  ...endpoints.readOwnShare,
  summary: 'When the live link of the order was made; null without one',
  feature,
  params,
  response: successOf({ createdAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]) }),
  errors: ['ORDER_NOT_FOUND'],
})

export const endShare = defineOperation({
  ...endpoints.endShare,
  summary: 'End the link of the order, if there is one',
  feature,
  params,
  body: NoBody,
  response: successOf({}),
  errors: ['ORDER_NOT_FOUND'],
})

export const readShare = defineOperation({
  ...endpoints.readShare,
  summary: 'The journey behind a shared link; ended, expired and unknown links are one 404',
  feature,
  params: Type.Object({ token: Type.String({ maxLength: 200 }) }, strict),
  response: successOf({ bookings: Type.Array(SharedBooking) }),
  etag: 'weak',
  errors: ['SHARE_NOT_FOUND', 'TOO_MANY_CALLS'],
})

export const readShareEvents = defineOperation({
  ...endpoints.readShareEvents,
  summary:
    'A notice at once, and after each change of the journey behind a shared link: read it again, with its ETag. It ends with the link',
  feature,
  params: readShare.params,
  response: EventStream,
  contentType: 'text/event-stream',
  stream: { ...endpoints.readShareEvents.stream, data: Type.Object({}) },
  errors: ['SHARE_NOT_FOUND', 'TOO_MANY_CALLS', 'TOO_MANY_STREAMS'],
})

export const sharesOperations = { createShare, readOwnShare, endShare, readShare, readShareEvents } as const
