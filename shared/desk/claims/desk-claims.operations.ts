import type { Endpoint } from '#shared/platform/operation.ts'

export const openDeskClaim = {
  method: 'POST',
  path: '/api/desk/orders/:id/claims',
  access: 'staff',
} as const satisfies Endpoint

export const readDeskClaim = {
  method: 'GET',
  path: '/api/desk/claims/:claimId',
  access: 'staff',
} as const satisfies Endpoint

export const readDeskPhoto = {
  method: 'GET',
  path: '/api/desk/claims/:claimId/photos/:number',
  access: 'staff',
} as const satisfies Endpoint

export const storeDeskPhoto = {
  method: 'PUT',
  path: '/api/desk/claims/:claimId/photos/:number',
  access: 'staff',
} as const satisfies Endpoint

export const answerDeskClaim = {
  method: 'POST',
  path: '/api/desk/claims/:claimId/answer',
  access: 'staff',
} as const satisfies Endpoint

export const closeDeskClaim = {
  method: 'POST',
  path: '/api/desk/claims/:claimId/close',
  access: 'staff',
} as const satisfies Endpoint

export const noteDeskClaim = {
  method: 'POST',
  path: '/api/desk/claims/:claimId/partner',
  access: 'staff',
} as const satisfies Endpoint
