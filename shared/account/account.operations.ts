import type { Endpoint } from '#shared/platform/operation.ts'

export const exportUser = {
  method: 'GET',
  path: '/api/auth/user/export',
  access: 'user',
} as const satisfies Endpoint

export const deleteUser = {
  method: 'DELETE',
  path: '/api/auth/user',
  access: 'user',
} as const satisfies Endpoint
