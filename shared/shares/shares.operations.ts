import type { Endpoint } from '#shared/platform/operation.ts'

/** A shared link ends this many days after the last bag of its order was collected. */
export const shareEndsAfterDays = 7

/**
 * A shared link ends this many days after the cancellation of its order, or after the last event of a bag on its way.
 */
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
