import type { Endpoint } from '#shared/platform/operation.ts'

export const listCenters = {
  method: 'GET',
  path: '/api/partner/centers',
  access: 'anyone',
} as const satisfies Endpoint

export const listAgents = {
  method: 'GET',
  path: '/api/partner/agents',
  access: 'anyone',
} as const satisfies Endpoint
