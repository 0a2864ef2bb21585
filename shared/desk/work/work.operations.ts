import type { Endpoint } from '#shared/platform/operation.ts'

export const labelHelpAfterMs = 15 * 60_000

export const readWork = { method: 'GET', path: '/api/desk/work', access: 'staff' } as const satisfies Endpoint

export const listWork = {
  method: 'GET',
  path: '/api/desk/work/:kind',
  access: 'staff',
} as const satisfies Endpoint

export const takeWork = {
  method: 'POST',
  path: '/api/desk/work/:kind/:id/take',
  access: 'staff',
} as const satisfies Endpoint

export const releaseWork = {
  method: 'POST',
  path: '/api/desk/work/:kind/:id/release',
  access: 'staff',
} as const satisfies Endpoint

export const handWork = {
  method: 'POST',
  path: '/api/desk/work/:kind/:id/hand',
  access: 'staff',
} as const satisfies Endpoint

export const endWork = {
  method: 'POST',
  path: '/api/desk/work/:kind/:id/seen',
  access: 'staff',
} as const satisfies Endpoint

export const readDeskEvents = {
  method: 'GET',
  path: '/api/desk/events',
  access: 'staff',
  stream: { event: 'changed' },
} as const satisfies Endpoint
