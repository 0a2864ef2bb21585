import { priceOf } from '#shared/checkout/checkout.rules.ts'
import { packagesPerOrder } from '#shared/checkout/checkout.schemas.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { halalasOf } from '#shared/platform/money.ts'

export type RefusedBy = 'userId' | 'type' | 'noOfPackages' | 'agentCode' | 'centerCode' | 'amount'

export interface CheckoutFacts {
  readonly userId: number
  readonly principalId: number
  readonly type: BookingType
  readonly enabledTypes: readonly BookingType[]
  readonly noOfPackages: number
  readonly isAgentKnown: boolean
  readonly isCenterKnown: boolean
  /** SAR, as the browser sent it. */
  readonly amount: number
}

/** Every refused field, by name; empty when the order can be created. */
export function refusalsOf(facts: CheckoutFacts): RefusedBy[] {
  const refused: RefusedBy[] = []
  if (facts.userId !== facts.principalId) refused.push('userId')
  if (!facts.enabledTypes.includes(facts.type)) refused.push('type')
  if (facts.noOfPackages !== packagesPerOrder) refused.push('noOfPackages')
  if (!facts.isAgentKnown) refused.push('agentCode')
  if (!facts.isCenterKnown) refused.push('centerCode')
  if (halalasOf(facts.amount) !== priceOf(facts.type).totalHalalas) refused.push('amount')
  return refused
}
