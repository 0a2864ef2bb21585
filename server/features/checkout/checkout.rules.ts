import { fare, packagesPerOrder } from '#shared/checkout/checkout.schemas.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { halalasOf } from '#shared/platform/money.ts'

/** Spec §9: 50 SAR one way, another 50 for the way back. VAT is included. */
export function priceOf(type: BookingType): number {
  return type === 'TO_AND_FROM_MINA' ? fare.baseHalalas + fare.returnHalalas : fare.baseHalalas
}

export type RefusedBy = 'userId' | 'type' | 'noOfPackages' | 'agentCode' | 'centerCode' | 'amount'

export interface CheckoutFacts {
  readonly userId: number
  readonly callerId: number
  readonly type: BookingType
  readonly enabledTypes: readonly BookingType[]
  readonly noOfPackages: number
  readonly isAgentKnown: boolean
  readonly isCenterKnown: boolean
  /** SAR, as the browser sent it. */
  readonly amount: number
}

/** Every field that does not fit, by name; empty when the booking may be made. */
export function refusalsOf(facts: CheckoutFacts): RefusedBy[] {
  const refused: RefusedBy[] = []
  if (facts.userId !== facts.callerId) refused.push('userId')
  if (!facts.enabledTypes.includes(facts.type)) refused.push('type')
  if (facts.noOfPackages !== packagesPerOrder) refused.push('noOfPackages')
  if (!facts.isAgentKnown) refused.push('agentCode')
  if (!facts.isCenterKnown) refused.push('centerCode')
  if (halalasOf(facts.amount) !== priceOf(facts.type)) refused.push('amount')
  return refused
}
