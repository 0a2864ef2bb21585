import type { Endpoint } from '#shared/platform/operation.ts'

/** The fares include VAT (spec §9). */
export const fare = { baseHalalas: 5_000, returnHalalas: 5_000 } as const
export const vatPercent = 15

/** The shipping partner requires a value of a bag above zero, so we declare the fare. */
export const declaredValueHalalas = fare.baseHalalas
export const maxWeightKg = 15
export const packagesPerOrder = 1

export const checkout = { method: 'POST', path: '/api/checkout', access: 'user' } as const satisfies Endpoint
