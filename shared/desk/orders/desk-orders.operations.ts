import type { Endpoint } from '#shared/platform/operation.ts'

export const longestQuery = 100

export const searchDesk = {
  method: 'POST',
  path: '/api/desk/search',
  access: 'staff',
} as const satisfies Endpoint

export const listDeskOrders = {
  method: 'GET',
  path: '/api/desk/orders',
  access: 'staff',
} as const satisfies Endpoint

export const readDeskOrder = {
  method: 'GET',
  path: '/api/desk/orders/:id',
  access: 'staff',
} as const satisfies Endpoint

export const revealDeskOrder = {
  method: 'POST',
  path: '/api/desk/orders/:id/reveal',
  access: 'staff',
} as const satisfies Endpoint

export const readDeskHandoverPhoto = {
  method: 'GET',
  path: '/api/desk/orders/:id/bookings/:awb/photo',
  access: 'staff',
} as const satisfies Endpoint
