import type { MessagesService } from '#server/features/messages/messages.feature.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { PaymentsService } from '#server/features/payments/payments.feature.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import { failure } from '#server/platform/errors.ts'
import { readOrderNumber } from '#shared/orders/order-number.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import type { DeskOrdersStore } from './desk-orders.store.ts'

export interface WholeOrderDeps {
  readonly store: Pick<DeskOrdersStore, 'findByReference'>
  readonly orders: Pick<OrdersService, 'exportOrder'>
  readonly payments: Pick<PaymentsService, 'exportPayments'>
  readonly messages: Pick<MessagesService, 'exportMessagesOfOrder'>
  readonly users: Pick<UsersService, 'findUser'>
}

/** What is stored of one order, for the desk and for testers. */
export function createWholeOrders({ store, orders, payments, messages, users }: WholeOrderDeps) {
  /** By its number, a reference of a shipment or payment, an airway bill or a transaction. */
  async function findOrder(ref: string) {
    const number = readOrderNumber(ref)
    const found = number && (await orders.exportOrder(number.id))
    if (found) return found
    const [id] = await store.findByReference(ref)
    return id === undefined ? undefined : orders.exportOrder(id)
  }

  /** With the number of its owner. @throws Failure ORDER_NOT_FOUND */
  async function readWhole(ref: string) {
    const found = await findOrder(ref)
    if (!found) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    const { userId, order } = found
    const id = order.orderId
    return {
      userId,
      order: {
        ...order,
        payments: (await payments.exportPayments([id])).get(id) ?? [],
        messages: await messages.exportMessagesOfOrder(id),
      },
    }
  }

  return {
    readWhole,

    /** With its owner, whose account may be gone, unmasked. @throws Failure ORDER_NOT_FOUND */
    async readForTesters(ref: string) {
      const { userId, order } = await readWhole(ref)
      return { ...order, user: (await users.findUser(userId)) ?? null }
    },
  }
}
