import type { Endpoint } from '#shared/platform/operation.ts'

export const revealReasons = ['call-back', 'identity', 'name', 'partner', 'authority', 'other'] as const

export const listAudit = {
  method: 'GET',
  path: '/api/desk/audit',
  access: 'staff',
} as const satisfies Endpoint

export const listWorkers = {
  method: 'GET',
  path: '/api/desk/workers',
  access: 'staff',
} as const satisfies Endpoint

export const pauseWorker = {
  method: 'POST',
  path: '/api/desk/workers/:name/pause',
  access: 'staff',
} as const satisfies Endpoint

export const resumeWorker = {
  method: 'POST',
  path: '/api/desk/workers/:name/resume',
  access: 'staff',
} as const satisfies Endpoint
