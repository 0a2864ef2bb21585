import { createHash } from 'node:crypto'
import type { CreationKey, OrdersService } from '#server/features/orders/orders.service.ts'
import type { PartnerService } from '#server/features/partner/partner.service.ts'
import { failure } from '#server/platform/errors.ts'
import { checkoutErrors, checkoutRefusals } from '#shared/checkout/checkout.errors.ts'
import type { CheckoutRequest, OpenedPayment } from '#shared/checkout/checkout.schemas.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { priceOf, type RefusedBy, refusalsOf } from './checkout.rules.ts'

export interface CheckoutDeps {
  readonly orders: OrdersService
  readonly partner: PartnerService
  /** Opens, or finds open, the payment of an unpaid order. Handed over by the payments room. */
  readonly openPayment: (orderId: number) => Promise<OpenedPayment>
  /** What `openPayment` answered before, also after the order was paid; refused once it expired or its money went back. */
  readonly repeatPayment: (orderId: number) => Promise<OpenedPayment>
  readonly enabledTypes: readonly BookingType[]
}

export interface CheckoutService {
  /**
   * Places an order and opens its payment. The same key and request answer the same order.
   * @throws Failure CHECKOUT_REFUSED naming every field, IDEMPOTENCY_CONFLICT, PAYMENT_UNAVAILABLE (the order is kept),
   * ORDER_NOT_PAYABLE when the order of the key expired or its money went back.
   */
  checkout(callerId: number, request: CheckoutRequest, key: string | undefined): Promise<OpenedPayment>
}

const conflict = () => failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')

export function createCheckout({
  orders,
  partner,
  openPayment,
  repeatPayment,
  enabledTypes,
}: CheckoutDeps): CheckoutService {
  return {
    async checkout(callerId, request, key) {
      const creation = key === undefined ? undefined : keyOf(key, request)
      // A repeated call is answered from what was made, even if the lists or the offer have changed since.
      const earlier = creation && (await orders.findByKey(callerId, creation))
      if (earlier?.conflict) throw conflict()
      if (earlier) return repeatPayment(earlier.orderId)

      const [agent, center] = await Promise.all([
        partner.findAgent(request.agentCode),
        partner.findCenter(request.centerCode),
      ])
      const refused = refusalsOf({
        userId: request.userId,
        callerId,
        type: request.type,
        enabledTypes,
        noOfPackages: request.noOfPackages,
        isAgentKnown: agent !== undefined,
        isCenterKnown: center !== undefined,
        amount: request.amount,
      })
      if (refused.length > 0 || !agent || !center) throw refusal(refused)

      const placed = await orders.place(
        { userId: callerId, type: request.type, agent, center, amountHalalas: priceOf(request.type) },
        creation,
      )
      if (placed.conflict) throw conflict()
      return openPayment(placed.orderId)
    },
  }
}

function refusal(refused: readonly RefusedBy[]) {
  return failure(checkoutErrors, 'CHECKOUT_REFUSED', {
    fields: refused.map((field) => ({ field, text: checkoutRefusals[field] })),
  })
}

/** The hash is over the fields in a fixed order, so that two spellings of one request are one request. */
function keyOf(key: string, request: CheckoutRequest): CreationKey {
  const { userId, type, noOfPackages, agentCode, centerCode, amount } = request
  const body = JSON.stringify([userId, type, noOfPackages, agentCode, centerCode, amount])
  return { key, bodyHash: createHash('sha256').update(body).digest('hex') }
}
