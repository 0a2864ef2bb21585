import type { Endpoint } from '#shared/platform/operation.ts'

export const readDeskPerson = {
  method: 'GET',
  path: '/api/desk/people/:userId',
  access: 'staff',
} as const satisfies Endpoint

export const unlockDeskPerson = {
  method: 'POST',
  path: '/api/desk/people/:userId/unlock',
  access: 'staff',
} as const satisfies Endpoint

export const askNumber = {
  method: 'POST',
  path: '/api/desk/people/:userId/number',
  access: 'staff',
} as const satisfies Endpoint

export const openAgent = {
  method: 'POST',
  path: '/api/desk/agents/:agentId/open',
  access: 'staff',
} as const satisfies Endpoint

export const endPersonSessions = {
  method: 'POST',
  path: '/api/desk/people/:userId/end-sessions',
  access: 'staff',
} as const satisfies Endpoint
