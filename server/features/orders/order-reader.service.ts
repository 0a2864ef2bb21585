import { failure } from '#server/platform/errors.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { statusMeanings } from '#shared/orders/orders.rules.ts'
import type { OpenedPayment, Order } from '#shared/orders/orders.schemas.ts'
import type { OrdersService } from './orders.service.ts'

/**
 * What the `/api/orders` calls need of payments. Payments depend on orders, so the type stands here and `app.ts` hands
 * over the service.
 */
export interface OrderPayments {
  /** The order of a merchant reference. */
  findOrderId(reference: string): Promise<number | undefined>
  /** Asks the provider about the payments of an order; waits `pageWaitMs` at most. */
  refresh(orderId: number): Promise<void>
  /**
   * The payment of an unpaid order of the user.
   * @throws Failure ORDER_NOT_FOUND, ORDER_NOT_PAYABLE, PAYMENT_LINK_MISMATCH, PAYMENT_UNCHECKED, PAYMENT_UNAVAILABLE.
   */
  renew(userId: number, orderId: number, clientSecret?: string, isSpent?: boolean): Promise<OpenedPayment>
  /**
   * Cancels an order of the user and orders the refund of its payment.
   * @throws Failure ORDER_NOT_FOUND, ALREADY_HANDED_OVER, CANCELLATION_NOT_OFFERED, ORDER_NOT_CANCELLABLE,
   * IDEMPOTENCY_CONFLICT.
   */
  cancel(userId: number, orderId: number, key?: string): Promise<void>
}

/** Reads one order. The provider is asked about an unpaid one first, because its callback may be late or lost (docs/wires/payment.md R13). */
export function createOrderReader(orders: OrdersService, payments: Omit<OrderPayments, 'renew' | 'cancel'>) {
  /** @param key an order number or a merchant reference. */
  async function numberOf(key: string): Promise<number | undefined> {
    return /^[1-9]\d{0,14}$/.test(key) ? Number(key) : payments.findOrderId(key)
  }

  /** @throws Failure ORDER_NOT_FOUND. */
  return async (principal: Principal, key: string): Promise<Order> => {
    const id = await numberOf(key)
    if (id === undefined) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    const order = await orders.readFor(principal, id)
    if (!statusMeanings[order.status].isPayable) return order
    await payments.refresh(id)
    return orders.readFor(principal, id)
  }
}
