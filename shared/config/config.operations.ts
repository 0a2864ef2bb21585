import type { Endpoint } from '#shared/platform/operation.ts'

export const readConfig = { method: 'GET', path: '/api/config', access: 'anyone' } as const satisfies Endpoint
