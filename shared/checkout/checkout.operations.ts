import type { Endpoint } from '#shared/platform/operation.ts'

/** Fares of spec §9, VAT included: 50 SAR one way, another 50 for the way back. */
export const fare = { baseHalalas: 5_000, returnHalalas: 5_000 } as const
export const vatPercent = 15

/** The partner requires a value above zero, and nobody appraises the bags, so it is the fare. */
export const declaredValueHalalas = fare.baseHalalas
export const maxWeightKg = 15
export const packagesPerOrder = 1

export const checkout = { method: 'POST', path: '/api/checkout', access: 'user' } as const satisfies Endpoint
