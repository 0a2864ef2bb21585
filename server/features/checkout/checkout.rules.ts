import { hashOf } from '#server/platform/secrets.ts'
import { packagesPerOrder } from '#shared/checkout/checkout.operations.ts'
import { priceOf } from '#shared/checkout/checkout.rules.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { halalasOf } from '#shared/platform/money.ts'

type RefusedField = 'userId' | 'type' | 'noOfPackages' | 'agentCode' | 'centerCode' | 'amount'

interface Offer {
  readonly principalId: number
  readonly enabledTypes: readonly BookingType[]
  readonly agent: object | undefined
  readonly center: object | undefined
}

export function refusalsOf(request: CheckoutRequest, offer: Offer): RefusedField[] {
  const { userId, type, noOfPackages, amount } = request
  const refused: RefusedField[] = []
  if (userId !== offer.principalId) refused.push('userId')
  if (!offer.enabledTypes.includes(type)) refused.push('type')
  if (noOfPackages !== packagesPerOrder) refused.push('noOfPackages')
  if (!offer.agent) refused.push('agentCode')
  if (!offer.center) refused.push('centerCode')
  if (halalasOf(amount) !== priceOf(type).totalHalalas) refused.push('amount')
  return refused
}

export function creationKeyOf(
  key: string,
  request: CheckoutRequest,
): { readonly key: string; readonly bodyHash: string } {
  const { userId, type, noOfPackages, agentCode, centerCode, amount, receiver, secondPhone } = request
  // Without a receiver the hash is the same as before receivers existed, so that stored keys stay valid.
  const named = receiver || secondPhone ? [receiver?.name, receiver?.phone, secondPhone] : []
  const body = JSON.stringify([userId, type, noOfPackages, agentCode, centerCode, amount, ...named])
  return {
    key,
    bodyHash: hashOf(body),
  }
}
