import type { Endpoint } from '#shared/platform/operation.ts'

export const undoMinutes = 10
export const refusalReasons = ['too-heavy', 'forbidden', 'absent', 'damaged', 'other'] as const
export type RefusalReason = (typeof refusalReasons)[number]
export const longestRefusalText = 200

export const recordHandover = {
  method: 'POST',
  path: '/api/handovers',
  access: 'agent',
} as const satisfies Endpoint

export const refuseBag = {
  method: 'POST',
  path: '/api/handovers/refusals',
  access: 'agent',
} as const satisfies Endpoint

export const undoHandover = {
  method: 'DELETE',
  path: '/api/handovers/:awb',
  access: 'agent',
} as const satisfies Endpoint

export const findForeignBag = {
  method: 'GET',
  path: '/api/handovers/:awb',
  access: 'agent',
} as const satisfies Endpoint
