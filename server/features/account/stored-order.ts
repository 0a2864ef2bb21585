import type { Core } from '#server/core.ts'
import { exportMessagesOfOrder } from '#server/features/messages/messages.ts'
import { exportOrder } from '#server/features/order-views/order-views.ts'
import { exportPayments } from '#server/features/payments/payments.ts'
import { findUser } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { readOrderNumber } from '#shared/orders/order-number.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { findOrdersByReference } from './stored-order.queries.ts'

/**
 * Returns everything that is stored about one order, unmasked.
 * @param ref an order number, or a `reference` of `findOrdersByReference`
 * @throws Failure ORDER_NOT_FOUND
 */
export async function readStoredOrder(core: Core, ref: string) {
  const found = await findStoredOrder(core, ref)
  if (!found) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  const { userId, order } = found
  const id = order.orderId
  return {
    userId,
    order: {
      ...order,
      payments: (await exportPayments(core, [id])).get(id) ?? [],
      messages: await exportMessagesOfOrder(core, id),
    },
  }
}

export async function readForTesters(core: Core, ref: string) {
  const { userId, order } = await readStoredOrder(core, ref)
  return { ...order, user: (await findUser(core, userId)) ?? null }
}

async function findStoredOrder(core: Core, ref: string) {
  const number = readOrderNumber(ref)
  const found = number && (await exportOrder(core, number.id))
  if (found) return found
  const [id] = await findOrdersByReference(core, ref)
  return id === undefined ? undefined : exportOrder(core, id)
}
