import type { Endpoint } from '#shared/platform/operation.ts'

export const readWalletLink = {
  method: 'GET',
  path: '/api/orders/:id/wallet/:awb',
  access: 'user',
} as const satisfies Endpoint

export const readCalendar = {
  method: 'GET',
  path: '/api/orders/:id/visit.ics',
  access: 'user',
} as const satisfies Endpoint
