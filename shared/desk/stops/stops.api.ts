import { defineOperation } from '#shared/platform/operation.ts'
import { ActHeaders } from '#shared/platform/platform.schemas.ts'
import { mostStops, StopsRequest, StopsResponse } from '#shared/stops/stops.schemas.ts'
import * as endpoints from './stops.operations.ts'

const feature = 'stops'
const roles = ['lead'] as const

const stopBytes = 3 * 1024

export const readStops = defineOperation({
  ...endpoints.readStops,
  summary: 'What is not sold, or will not be from a time, with who stopped it and why',
  feature,
  roles,
  response: StopsResponse,
})

export const replaceStops = defineOperation({
  ...endpoints.replaceStops,
  summary:
    'Replace what is not sold. When it is answered, no order is created that it stops. To set or end a stop of everything takes a fresh sign-in',
  feature,
  roles,
  headers: ActHeaders,
  body: StopsRequest,
  bodyBytes: mostStops * stopBytes,
  response: StopsResponse,
  errors: ['STOPS_REFUSED', 'STOPS_CHANGED', 'IDEMPOTENCY_CONFLICT', 'REAUTHENTICATION_REQUIRED'],
})

export const stopsOperations = { readStops, replaceStops } as const
