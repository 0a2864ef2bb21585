import type { Endpoint } from '#shared/platform/operation.ts'

export const undoMinutes = 10
export const refusalReasons = ['too-heavy', 'forbidden', 'absent', 'damaged', 'other'] as const
export type RefusalReason = (typeof refusalReasons)[number]
export const longestRefusalText = 200

/** Agents can upload the picture of a hand-over for this long after they recorded it. */
export const handoverPhotoHours = 48
export const handoverPhotoMaxBytes = 150_000
export const handoverPhotoLongestSide = 1_280

export const handoverPhotoName = (awb: string): string => `bag-${awb}`

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

export const storeHandoverPhoto = {
  method: 'PUT',
  path: '/api/handovers/:awb/photo',
  access: 'agent',
} as const satisfies Endpoint

export const readHandoverPhoto = {
  method: 'GET',
  path: '/api/orders/:id/bookings/:awb/photo',
  access: 'user',
} as const satisfies Endpoint
