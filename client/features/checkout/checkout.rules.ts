import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { halalasOf } from '#shared/platform/money.ts'

/** Riyals, as the configuration carries them. */
export interface Fare {
  readonly base: number
  readonly return: number
}

export interface Price {
  readonly oneWayHalalas: number
  /** Zero on the ways that have no way back. */
  readonly wayBackHalalas: number
  readonly totalHalalas: number
  /** The VAT the total includes. */
  readonly vatHalalas: number
}

/** Saudi VAT on domestic transport, in per cent; consumer prices are shown with it included. */
export const vatPercent = 15

export function priceOf(type: BookingType, fare: Fare): Price {
  const oneWayHalalas = exactHalalas(fare.base)
  const wayBackHalalas = type === 'TO_AND_FROM_MINA' ? exactHalalas(fare.return) : 0
  const totalHalalas = oneWayHalalas + wayBackHalalas
  return { oneWayHalalas, wayBackHalalas, totalHalalas, vatHalalas: includedVat(totalHalalas) }
}

/** The VAT is rounded to halalas and the net amount is the rest: 50.00 holds 6.52 and leaves 43.48. */
function includedVat(totalHalalas: number): number {
  return Math.round((totalHalalas * vatPercent) / (100 + vatPercent))
}

function exactHalalas(riyals: number): number {
  const halalas = halalasOf(riyals)
  if (halalas === undefined) throw new Error(`A fare of ${riyals} SAR is finer than a halala`)
  return halalas
}

export type LegEnd = 'agent' | 'center'

export interface Leg {
  readonly from: LegEnd
  readonly to: LegEnd
}

/** The ways a bag goes, in order: two for there and back. */
export function legsOf(type: BookingType): readonly Leg[] {
  const toMina: Leg = { from: 'center', to: 'agent' }
  const fromMina: Leg = { from: 'agent', to: 'center' }
  if (type === 'FROM_MINA') return [fromMina]
  return type === 'TO_MINA' ? [toMina] : [toMina, fromMina]
}

/** A random name for one intention to order. */
export function newIdempotencyKey(): string {
  // Not crypto.randomUUID: it is missing where the page is served without TLS, as on a tester's phone.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** True for the answers to a kept key that only another key ends: the order expired or went back, or the fare changed. */
export function isOrderOver(code: string): boolean {
  return code === 'ORDER_NOT_PAYABLE' || code === 'IDEMPOTENCY_CONFLICT'
}
