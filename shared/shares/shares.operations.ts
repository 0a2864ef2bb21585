import type { Endpoint } from '#shared/platform/operation.ts'

/** After the last bag of the order was collected. */
export const shareEndsAfterDays = 7

/** After the cancellation of the order, or the last event of a bag on its way. */
export const shareEndsAfterQuietDays = 30

export const createShare = {
  method: 'POST',
  path: '/api/orders/:id/share',
  access: 'user',
} as const satisfies Endpoint

export const readOwnShare = {
  method: 'GET',
  path: '/api/orders/:id/share',
  access: 'user',
} as const satisfies Endpoint

export const endShare = {
  method: 'DELETE',
  path: '/api/orders/:id/share',
  access: 'user',
} as const satisfies Endpoint

export const readShare = {
  method: 'GET',
  path: '/api/track/:token',
  access: 'anyone',
} as const satisfies Endpoint

export const readShareEvents = {
  method: 'GET',
  path: '/api/track/:token/events',
  access: 'anyone',
  stream: { event: 'changed' },
} as const satisfies Endpoint
