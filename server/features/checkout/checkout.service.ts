import type { Core } from '#server/core.ts'
import type { CreatedOrder, CreationKey, OrdersService } from '#server/features/orders/orders.service.ts'
import type { PartnerService } from '#server/features/partner/partner.feature.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { checkoutErrors, checkoutRefusals } from '#shared/checkout/checkout.errors.ts'
import { priceOf } from '#shared/checkout/checkout.rules.ts'
import { type CheckoutRequest, packagesPerOrder } from '#shared/checkout/checkout.schemas.ts'
import { receiverRefusals } from '#shared/orders/orders.errors.ts'
import type { BookingType, OpenedPayment } from '#shared/orders/orders.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { halalasOf } from '#shared/platform/money.ts'

export interface CheckoutNeeds {
  readonly orders: Pick<OrdersService, 'findByKey' | 'createOrder' | 'readReceiver'>
  readonly partner: Pick<PartnerService, 'findAgent' | 'findCenter'>
  readonly payments: {
    /**
     * Inside the transaction that creates an order: starts its first payment. The returned function opens it, once the
     * transaction is over.
     */
    begin(order: CreatedOrder): Promise<() => Promise<OpenedPayment>>
    /** The earlier result, also after the order was paid; refused once it expired or was refunded. */
    repeat(orderId: number): Promise<OpenedPayment>
  }
}

interface CheckoutDeps extends CheckoutNeeds, Pick<Core, 'database' | 'log'> {
  readonly enabledTypes: readonly BookingType[]
}

export type CheckoutService = ReturnType<typeof createCheckout>

export function createCheckout(deps: CheckoutDeps) {
  const { database, orders, partner, payments, enabledTypes, log } = deps

  /** The agent, the branch and the receiver of a request. @throws Failure CHECKOUT_REFUSED naming every field. */
  async function check(principalId: number, request: CheckoutRequest) {
    const { agentCode, centerCode } = request
    const [agent, center] = await Promise.all([partner.findAgent(agentCode), partner.findCenter(centerCode)])
    const { columns: receiver, refused: ofReceiver } = orders.readReceiver(request)
    const refused = [...refusalsOf(request, { principalId, enabledTypes, agent, center }), ...ofReceiver]
    if (refused.length > 0 || !agent || !center) throw refusal(refused)
    return { agent, center, receiver }
  }

  function repeat({ orderId, conflict }: { readonly orderId: number; readonly conflict: boolean }) {
    if (conflict) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
    return payments.repeat(orderId)
  }

  return {
    /**
     * Creates an order and opens its payment. The same key and request return the same order.
     * @throws Failure CHECKOUT_REFUSED naming every field, IDEMPOTENCY_CONFLICT, PAYMENT_UNCHECKED and
     * PAYMENT_UNAVAILABLE (the order stays), ORDER_NOT_PAYABLE when the order of the key expired or was refunded.
     */
    async checkout(
      principalId: number,
      request: CheckoutRequest,
      { key, language }: { readonly key: string | undefined; readonly language: LanguageCode },
    ): Promise<OpenedPayment> {
      const creation = key === undefined ? undefined : keyOf(key, request)
      // A repeated request returns the stored order, even if the partner's lists or the offer have changed since.
      const earlier = creation && (await orders.findByKey(principalId, creation))
      if (earlier) return repeat(earlier)
      const { agent, center, receiver } = await check(principalId, request)
      const { type } = request
      const amountHalalas = priceOf(type).totalHalalas
      const { result, open } = await database.transaction(async () => {
        const order = { userId: principalId, type, agent, center, amountHalalas, receiver, language }
        const result = await orders.createOrder(order, creation)
        return { result, open: result.created && (await payments.begin(result.created)) }
      })
      if (result.created)
        log.info({ event: 'orders.created', orderId: result.created.id, userId: principalId })
      return open ? open() : repeat(result)
    },
  }
}

type RefusedBy = 'userId' | 'type' | 'noOfPackages' | 'agentCode' | 'centerCode' | 'amount'

/** What a request is compared with: who asks, what is offered, and what the partner's lists hold under its codes. */
interface Offer {
  readonly principalId: number
  readonly enabledTypes: readonly BookingType[]
  readonly agent: object | undefined
  readonly center: object | undefined
}

/** Every refused field, by name; empty when the order can be created. */
export function refusalsOf(request: CheckoutRequest, offer: Offer): RefusedBy[] {
  const { userId, type, noOfPackages, amount } = request
  const refused: RefusedBy[] = []
  if (userId !== offer.principalId) refused.push('userId')
  if (!offer.enabledTypes.includes(type)) refused.push('type')
  if (noOfPackages !== packagesPerOrder) refused.push('noOfPackages')
  if (!offer.agent) refused.push('agentCode')
  if (!offer.center) refused.push('centerCode')
  if (halalasOf(amount) !== priceOf(type).totalHalalas) refused.push('amount')
  return refused
}

const texts = { ...checkoutRefusals, ...receiverRefusals }

function refusal(refused: readonly (keyof typeof texts)[]) {
  return failure(checkoutErrors, 'CHECKOUT_REFUSED', {
    fields: refused.map((field) => ({ field, text: texts[field] })),
  })
}

/** The hash covers the fields in a fixed order, so that it does not depend on the order of the fields in the body. */
function keyOf(key: string, request: CheckoutRequest): CreationKey {
  const { userId, type, noOfPackages, agentCode, centerCode, amount, receiver, secondPhone } = request
  // As before there were receivers, where none is named: keys outlive an upgrade.
  const named = receiver || secondPhone ? [receiver?.name, receiver?.phone, secondPhone] : []
  const body = JSON.stringify([userId, type, noOfPackages, agentCode, centerCode, amount, ...named])
  return { key, bodyHash: hashOf(body) }
}
