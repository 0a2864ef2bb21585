import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import { createBookings } from './bookings.service.ts'
import { createOrderCreation, type OrderCreationDeps } from './order-creation.service.ts'
import { createOrderViews, type OrderViewsDeps } from './order-views.service.ts'

// Other features may import types from this file only.
export type { LeasedBooking } from './bookings.service.ts'
export type { CreationKey } from './order-creation.service.ts'
export type { RefundSummary } from './order-views.service.ts'

type OrdersDeps = OrderCreationDeps & OrderViewsDeps

/** An order as payments see it. */
export interface PayableOrder {
  readonly id: number
  readonly userId: number
  readonly status: OrderStatus
  readonly amountHalalas: number
  readonly currency: string
}

export type OrdersService = ReturnType<typeof createOrders>

export function createOrders(deps: OrdersDeps) {
  return {
    ...createOrderCreation(deps),
    ...createOrderViews(deps),
    ...createBookings(deps),
    ...createTransitions(deps),
  }
}

/** Some of these only forward to the store: payments and account may depend on this service, not on the store. */
function createTransitions({ store, clock }: OrdersDeps) {
  return {
    async findPayable(id: number): Promise<PayableOrder | undefined> {
      const row = await store.findOrder(id)
      return (
        row && {
          id: row.id,
          userId: row.user_id,
          status: row.status,
          amountHalalas: row.amount_halalas,
          currency: row.currency,
        }
      )
    },

    /** True for the one call that paid the order. */
    markPaid: (id: number, transactionId: string) => store.markPaid(id, transactionId, clock.now()),

    markRefunded: store.markRefunded,

    /** True for the one call that expired the order. A late success still pays it. */
    markExpired: store.markExpired,

    /** Expires at most `limit` unpaid orders older than `ageMs`; returns how many. */
    expireOlderThan: (ageMs: number, limit: number) => store.expireCreatedBefore(clock.now() - ageMs, limit),

    listExpired: store.listExpired,

    deleteExpired: store.deleteExpired,

    /** Inside a transaction: expires the user's unpaid orders and deletes labels and keys; orders and amounts stay. */
    async eraseUser(userId: number): Promise<void> {
      await store.expireOfUser(userId)
      await store.eraseUser(userId)
    },
  }
}
