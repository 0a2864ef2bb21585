import type { Endpoint } from '#shared/platform/operation.ts'

/** Kinds of claims. `missing`: something inside the bag is missing. */
export const claimKinds = ['late', 'lost', 'damaged', 'missing', 'wrong-branch', 'other'] as const
export const claimOutcomes = ['delivered', 'found', 'compensated', 'refused', 'withdrawn'] as const
export const claimTextLength = { least: 10, most: 2_000 } as const

export const reopenDays = 30

/** Working days until a claim is answered (docs/wires/shipping.md K6). */
export const answerDays = 5
export const photoNumbers = [1, 2] as const
export const photoMaxBytes = 500_000
export const claimNumber = (claimId: number) => `CL-${claimId}`

export const claimNumberIn = (text: string): string | undefined => /CL-(\d+)/.exec(text)?.[1]

export const openClaim = {
  method: 'POST',
  path: '/api/orders/:id/claims',
  access: 'user',
} as const satisfies Endpoint

export const listClaims = {
  method: 'GET',
  path: '/api/orders/:id/claims',
  access: 'user',
} as const satisfies Endpoint

export const writeToClaim = {
  method: 'POST',
  path: '/api/claims/:claimId/messages',
  access: 'user',
} as const satisfies Endpoint

export const withdrawClaim = {
  method: 'POST',
  path: '/api/claims/:claimId/withdraw',
  access: 'user',
} as const satisfies Endpoint

export const storePhoto = {
  method: 'PUT',
  path: '/api/claims/:claimId/photos/:number',
  access: 'user',
} as const satisfies Endpoint

export const readPhoto = {
  method: 'GET',
  path: '/api/claims/:claimId/photos/:number',
  access: 'user',
} as const satisfies Endpoint
