import type { Endpoint } from '#shared/platform/operation.ts'

/** The fares include VAT: 50 SAR one way, another 50 SAR for the way back (spec §9). */
export const fare = { baseHalalas: 5_000, returnHalalas: 5_000 } as const
export const vatPercent = 15

/** We declare the fare, because the bags are not appraised and the shipping partner requires a value above zero. */
export const declaredValueHalalas = fare.baseHalalas
export const maxWeightKg = 15
export const packagesPerOrder = 1

export const checkout = { method: 'POST', path: '/api/checkout', access: 'user' } as const satisfies Endpoint
