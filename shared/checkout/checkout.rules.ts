import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { fare, vatPercent } from './checkout.operations.ts'

export interface Price {
  readonly oneWayHalalas: number
  readonly wayBackHalalas: number
  readonly totalHalalas: number
  readonly vatHalalas: number
}

export function priceOf(
  type: BookingType,
  { baseHalalas, returnHalalas }: { readonly baseHalalas: number; readonly returnHalalas: number } = fare,
): Price {
  const wayBackHalalas = type === 'TO_AND_FROM_MINA' ? returnHalalas : 0
  const totalHalalas = baseHalalas + wayBackHalalas
  return { oneWayHalalas: baseHalalas, wayBackHalalas, totalHalalas, vatHalalas: includedVat(totalHalalas) }
}

export function includedVat(totalHalalas: number): number {
  return Math.round((totalHalalas * vatPercent) / (100 + vatPercent))
}
