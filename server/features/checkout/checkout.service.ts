import { createHash } from 'node:crypto'
import type { CreationKey, OrdersService } from '#server/features/orders/orders.service.ts'
import type { PartnerService } from '#server/features/partner/partner.service.ts'
import { failure } from '#server/platform/errors.ts'
import { checkoutErrors, checkoutRefusals } from '#shared/checkout/checkout.errors.ts'
import { priceOf } from '#shared/checkout/checkout.rules.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import type { BookingType, OpenedPayment } from '#shared/orders/orders.schemas.ts'
import { type RefusedBy, refusalsOf } from './checkout.rules.ts'

export interface CheckoutNeeds {
  readonly orders: OrdersService
  readonly partner: PartnerService
  readonly payments: {
    /** The payment of an unpaid order: the open one or a new one. */
    open(orderId: number): Promise<OpenedPayment>
    /** The earlier result of `open`, also after the order was paid; refused once it expired or was refunded. */
    repeat(orderId: number): Promise<OpenedPayment>
  }
}

interface CheckoutDeps extends CheckoutNeeds {
  readonly enabledTypes: readonly BookingType[]
}

export interface CheckoutService {
  /**
   * Creates an order and opens its payment. The same key and request return the same order.
   * @throws Failure CHECKOUT_REFUSED naming every field, IDEMPOTENCY_CONFLICT, PAYMENT_UNCHECKED and
   * PAYMENT_UNAVAILABLE (the order stays), ORDER_NOT_PAYABLE when the order of the key expired or was refunded.
   */
  checkout(principalId: number, request: CheckoutRequest, key: string | undefined): Promise<OpenedPayment>
}

const conflict = () => failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')

export function createCheckout({ orders, partner, payments, enabledTypes }: CheckoutDeps): CheckoutService {
  return {
    async checkout(principalId, request, key) {
      const creation = key === undefined ? undefined : keyOf(key, request)
      // A repeated request returns the stored order, even if the partner's lists or the offer have changed since.
      const earlier = creation && (await orders.findByKey(principalId, creation))
      if (earlier?.conflict) throw conflict()
      if (earlier) return payments.repeat(earlier.orderId)

      const [agent, center] = await Promise.all([
        partner.findAgent(request.agentCode),
        partner.findCenter(request.centerCode),
      ])
      const refused = refusalsOf({
        userId: request.userId,
        principalId,
        type: request.type,
        enabledTypes,
        noOfPackages: request.noOfPackages,
        isAgentKnown: agent !== undefined,
        isCenterKnown: center !== undefined,
        amount: request.amount,
      })
      if (refused.length > 0 || !agent || !center) throw refusal(refused)

      const created = await orders.createOrder(
        {
          userId: principalId,
          type: request.type,
          agent,
          center,
          amountHalalas: priceOf(request.type).totalHalalas,
        },
        creation,
      )
      if (created.conflict) throw conflict()
      return payments.open(created.orderId)
    },
  }
}

function refusal(refused: readonly RefusedBy[]) {
  return failure(checkoutErrors, 'CHECKOUT_REFUSED', {
    fields: refused.map((field) => ({ field, text: checkoutRefusals[field] })),
  })
}

/** The hash covers the fields in a fixed order, so that it does not depend on the order of the fields in the body. */
function keyOf(key: string, request: CheckoutRequest): CreationKey {
  const { userId, type, noOfPackages, agentCode, centerCode, amount } = request
  const body = JSON.stringify([userId, type, noOfPackages, agentCode, centerCode, amount])
  return { key, bodyHash: createHash('sha256').update(body).digest('hex') }
}
