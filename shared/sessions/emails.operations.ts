import type { Endpoint } from '#shared/platform/operation.ts'

export const addEmail = {
  method: 'POST',
  path: '/api/auth/email',
  access: 'user',
} as const satisfies Endpoint

export const verifyEmail = {
  method: 'POST',
  path: '/api/auth/email/verify',
  access: 'user',
} as const satisfies Endpoint

export const removeEmail = {
  method: 'DELETE',
  path: '/api/auth/email',
  access: 'user',
} as const satisfies Endpoint

export const stopEmail = {
  method: 'POST',
  path: '/api/auth/email/stop',
  access: 'anyone',
} as const satisfies Endpoint

export const recoverAccount = {
  method: 'POST',
  path: '/api/auth/recover',
  access: 'anyone',
} as const satisfies Endpoint

export const verifyRecovery = {
  method: 'POST',
  path: '/api/auth/recover/verify',
  access: 'anyone',
} as const satisfies Endpoint
