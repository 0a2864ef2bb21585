import type { Endpoint } from '#shared/platform/operation.ts'

export const readPush = {
  method: 'GET',
  path: '/api/push/subscriptions',
  access: 'user',
} as const satisfies Endpoint

export const subscribePush = {
  method: 'POST',
  path: '/api/push/subscriptions',
  access: 'user',
} as const satisfies Endpoint

export const unsubscribePush = {
  method: 'DELETE',
  path: '/api/push/subscriptions',
  access: 'user',
} as const satisfies Endpoint
