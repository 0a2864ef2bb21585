import { type Price, priceOf as priceInHalalas } from '#shared/checkout/checkout.rules.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { halalasOf } from '#shared/platform/money.ts'

/** Riyals, as the configuration carries them. */
export interface Fare {
  readonly base: number
  readonly return: number
}

export function priceOf(type: BookingType, fare: Fare): Price {
  return priceInHalalas(type, {
    baseHalalas: exactHalalas(fare.base),
    returnHalalas: exactHalalas(fare.return),
  })
}

function exactHalalas(riyals: number): number {
  const halalas = halalasOf(riyals)
  if (halalas === undefined) throw new Error(`A fare of ${riyals} SAR is finer than a halala`)
  return halalas
}
