import { timingSafeEqual } from 'node:crypto'
import type { MessagesService } from '#server/features/messages/messages.service.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { PaymentsService } from '#server/features/payments/payments.service.ts'
import type { SessionsService } from '#server/features/sessions/sessions.service.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { demoErrors } from '#shared/demo/demo.errors.ts'
import type { DemoOrder } from '#shared/demo/demo.schemas.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { orderNumberPrefix } from '#shared/orders/order-number.ts'

export interface DemoDeps {
  /** DEMO_CONTROL_KEY. */
  readonly key: string
  readonly orders: Pick<OrdersService, 'findPayable' | 'findBagsByNumbers' | 'exportOrders'>
  readonly payments: Pick<PaymentsService, 'findOrderId' | 'exportPayments'>
  readonly messages: Pick<MessagesService, 'exportMessages'>
  readonly sessions: Pick<SessionsService, 'findUser'>
}

export type DemoService = ReturnType<typeof createDemo>

/** Calls of testers and of the simulator, in MODE=demo only. */
export function createDemo({ key, orders, payments, messages, sessions }: DemoDeps) {
  // Hashes, so that keys of any length compare in the same time.
  const bytesOf = (text: string) => Buffer.from(hashOf(text))
  const expected = bytesOf(key)

  const findByNumber = async (ref: string) => {
    const digits = new RegExp(`^(?:${orderNumberPrefix}-)?(\\d{1,15})$`, 'i').exec(ref)?.[1]
    return digits === undefined ? undefined : orders.findPayable(Number(digits))
  }

  async function findByReference(ref: string) {
    const id =
      (await payments.findOrderId(ref)) ?? (await orders.findBagsByNumbers([ref], [ref])).at(0)?.orderId
    return id === undefined ? undefined : orders.findPayable(id)
  }

  return {
    /** In constant time. @throws Failure DEMO_KEY_REFUSED for another key. */
    checkKey(given: string | readonly string[] | undefined): void {
      if (typeof given !== 'string' || !timingSafeEqual(bytesOf(given), expected))
        throw failure(demoErrors, 'DEMO_KEY_REFUSED')
    },

    /** @throws Failure ORDER_NOT_FOUND */
    async readOrder(ref: string): Promise<DemoOrder> {
      const found = (await findByNumber(ref)) ?? (await findByReference(ref))
      if (!found) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const { id, userId } = found
      const [order] = await orders.exportOrders(userId, id + 1, 1)
      if (order?.orderId !== id) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const user = await sessions.findUser(userId)
      return {
        ...order,
        user: user ?? null,
        payments: (await payments.exportPayments([id])).get(id) ?? [],
        messages: (await messages.exportMessages(userId)).filter(({ orderId }) => orderId === id),
      }
    },
  }
}
