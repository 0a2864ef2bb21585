import type { Endpoint } from '#shared/platform/operation.ts'

export const askConfirmation = {
  method: 'POST',
  path: '/api/auth/confirm',
  access: 'user',
} as const satisfies Endpoint

export const verifyConfirmation = {
  method: 'POST',
  path: '/api/auth/confirm/verify',
  access: 'user',
} as const satisfies Endpoint
