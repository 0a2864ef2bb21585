import type { Endpoint } from '#shared/platform/operation.ts'

export const sendReport = {
  method: 'POST',
  path: '/api/reports',
  access: 'browser',
} as const satisfies Endpoint
