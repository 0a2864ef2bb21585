import { defineOperation } from '#shared/platform/operation.ts'
import { ActHeaders } from '#shared/platform/platform.schemas.ts'
import { mostStops, StopsRequest, StopsResponse } from '#shared/stops/stops.schemas.ts'

const feature = 'stops'
const access = 'staff'
const roles = ['lead'] as const

const stopBytes = 3 * 1024

export const readStops = defineOperation({
  method: 'GET',
  path: '/api/desk/stops',
  summary: 'What is not sold, or will not be from a time, with who stopped it and why',
  feature,
  access,
  roles,
  response: StopsResponse,
})

export const replaceStops = defineOperation({
  method: 'PUT',
  path: '/api/desk/stops',
  summary:
    'Replace what is not sold. When it is answered, no order is created that it stops. To set or end a stop of everything takes a fresh sign-in',
  feature,
  access,
  roles,
  headers: ActHeaders,
  body: StopsRequest,
  bodyBytes: mostStops * stopBytes,
  response: StopsResponse,
  errors: ['STOPS_REFUSED', 'STOPS_CHANGED', 'IDEMPOTENCY_CONFLICT', 'REAUTHENTICATION_REQUIRED'],
})

export const stopsOperations = { readStops, replaceStops } as const
