import type { Core } from '#server/core.ts'
import { createOrder, findOrderByKey } from '#server/features/orders/order-creation.ts'
import { readReceiver } from '#server/features/orders/receivers.rules.ts'
import { findAgent, findCenter } from '#server/features/partner/partner.ts'
import { beginPayment, repeatPayment } from '#server/features/payments/intentions.ts'
import { failure } from '#server/platform/errors.ts'
import { checkoutErrors, checkoutRefusals } from '#shared/checkout/checkout.errors.ts'
import { priceOf } from '#shared/checkout/checkout.rules.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { receiverRefusals } from '#shared/orders/orders.errors.ts'
import type { OpenedPayment } from '#shared/orders/orders.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { creationKeyOf, refusalsOf } from './checkout.rules.ts'

const refusalTexts = { ...checkoutRefusals, ...receiverRefusals }

/**
 * Creates an order and opens its payment. The same idempotency key and request return the same order.
 * @throws Failure CHECKOUT_REFUSED (with every refused field); IDEMPOTENCY_CONFLICT; PAYMENT_UNCHECKED or
 *   PAYMENT_UNAVAILABLE (the order exists); ORDER_NOT_PAYABLE (the order of this key expired or was refunded); the
 *   errors of `createOrder`
 */
export async function checkOut(
  core: Core,
  userId: number,
  request: CheckoutRequest,
  { key, language }: { readonly key: string | undefined; readonly language: LanguageCode },
): Promise<OpenedPayment> {
  const creation = key === undefined ? undefined : creationKeyOf(key, request)
  // A repeated request gets its order, even when the partner's lists or our offer have changed since then.
  const earlier = creation && (await findOrderByKey(core, userId, creation))
  if (earlier) return repeat(core, earlier)
  const { agent, center, receiver } = await check(core, userId, request)
  const { type } = request
  const amountHalalas = priceOf(type).totalHalalas
  const { result, open } = await core.database.transaction(async () => {
    const order = { userId, type, agent, center, amountHalalas, receiver, language }
    const result = await createOrder(core, order, creation)
    const open = result.created && (await beginPayment(core, result.created))
    return { result, open }
  })
  if (result.created) core.log.info({ event: 'orders.created', orderId: result.created.id, userId })
  return open ? open() : repeat(core, result)
}

async function check(core: Core, userId: number, request: CheckoutRequest) {
  const [agent, center] = await Promise.all([
    findAgent(core, request.agentCode),
    findCenter(core, request.centerCode),
  ])
  const { columns: receiver, refused: refusedOfReceiver } = readReceiver(request)
  const offer = {
    principalId: userId,
    enabledTypes: core.config.ENABLED_BOOKING_TYPES,
    agent,
    center,
  }
  const refused = [...refusalsOf(request, offer), ...refusedOfReceiver]
  if (refused.length > 0 || !agent || !center)
    throw failure(checkoutErrors, 'CHECKOUT_REFUSED', {
      fields: refused.map((field) => ({ field, text: refusalTexts[field] })),
    })
  return { agent, center, receiver }
}

function repeat(
  core: Core,
  { orderId, conflict }: { readonly orderId: number; readonly conflict: boolean },
): Promise<OpenedPayment> {
  if (conflict) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
  return repeatPayment(core, orderId)
}
