import type { Endpoint } from '#shared/platform/operation.ts'

export const readStops = {
  method: 'GET',
  path: '/api/desk/stops',
  access: 'staff',
} as const satisfies Endpoint

export const replaceStops = {
  method: 'PUT',
  path: '/api/desk/stops',
  access: 'staff',
} as const satisfies Endpoint
