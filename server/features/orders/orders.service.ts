import type { OrderEnd, OrderPayment } from '#shared/orders/orders.schemas.ts'
import { createBookings } from './bookings.service.ts'
import { createCancellation } from './cancellation.service.ts'
import { createHandovers } from './handovers.service.ts'
import { createNews } from './news.service.ts'
import { createOrderCreation, type OrderCreationDeps } from './order-creation.service.ts'
import { createOrderViews, type OrderViewsDeps } from './order-views.service.ts'
import type { OrdersStore } from './orders.store.ts'
import { createReceivers } from './receivers.service.ts'
import { createBags, createTravel, type TravelDeps } from './travel.service.ts'

export type { LeasedBooking } from './bookings.service.ts'
// Other features may import types from this file only.
export type { Cancelling } from './cancellation.service.ts'
export type { CreatedOrder } from './order-creation.service.ts'
export type { RefundSummary } from './order-views.service.ts'
export type { Bag } from './travel.service.ts'

export type OrdersDeps = OrderCreationDeps & OrderViewsDeps & TravelDeps

/** An order as payments see it. */
export interface PayableOrder {
  readonly id: number
  readonly userId: number
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
  readonly amountHalalas: number
  readonly currency: string
  /** The payment that counts, also of an order that was cancelled. */
  readonly transactionId: string | null
}

/** What the desk and operators read and change of an order. */
export type OrderActs = Pick<
  OrdersStore,
  'findOrder' | 'findOrders' | 'findBookings' | 'permitCreation' | 'stopCarriage' | 'resumeCarriage'
>

export type OrdersService = ReturnType<typeof createOrders>

export function createOrders(deps: OrdersDeps) {
  const views = createOrderViews(deps)
  const { findPromises } = views
  const travel = createTravel({ ...deps, findPromises })
  return {
    ...createOrderCreation(deps),
    ...views,
    ...createBookings(deps),
    ...createCancellation(deps),
    ...createBags(deps),
    ...createNews({ ...deps, findPromises }),
    ...createReceivers(deps),
    ...travel,
    ...createHandovers(deps, { ...views, ...travel }),
    ...createTransitions(deps),

    /** The version of the terms that an order keeps which is made at `now`, in epoch milliseconds. */
    termsVersionAt: (now: number) => deps.terms(now).version,
  }
}

/** Some of these only forward to the store: payments and account may depend on this service, not on the store. */
function createTransitions({ database, store, clock }: OrdersDeps) {
  return {
    async findPayable(id: number): Promise<PayableOrder | undefined> {
      const row = await store.findOrder(id)
      return (
        row && {
          id: row.id,
          userId: row.user_id,
          payment: row.payment,
          ended: row.ended,
          amountHalalas: row.amount_halalas,
          currency: row.currency,
          transactionId: row.transaction_id,
        }
      )
    },

    /** Inside a transaction: true for the one call that paid the order. */
    markPaid: (id: number, transactionId: string): Promise<boolean> => store.markPaid(id, transactionId),

    /** Inside a transaction: true for the one call that refunded the order. */
    markRefunded: (id: number, transactionId: string): Promise<boolean> =>
      store.markRefunded(id, transactionId, clock.now()),

    /** True for the one call that expired the order. A late success still pays it. */
    markExpired: store.markExpired,

    /** Expires at most `limit` unpaid orders older than `ageMs`; returns how many. */
    expireOlderThan: (ageMs: number, limit: number) =>
      database.transaction(() => store.expireCreatedBefore(clock.now() - ageMs, limit)),

    acts: store as OrderActs,

    listNeverPaid: store.listNeverPaid,

    deleteNeverPaid: store.deleteNeverPaid,

    /** Inside a transaction: expires the user's unpaid orders and deletes labels and keys; orders and amounts stay. */
    async eraseUser(userId: number): Promise<void> {
      database.assertTransaction()
      await store.expireOfUser(userId)
      await store.eraseUser(userId)
    },
  }
}
