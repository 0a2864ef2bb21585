import type { Core } from '#server/core.ts'
import { bindTo } from '#server/legacy.ts'
import { findBookings, permitCreation } from './bookings.queries.ts'
import { assertCancellable, cancelUnlocked, isCancellable, markPaidLate } from './cancellation.ts'
import { bindKey, findOrderByKey } from './order-creation.ts'
import { exportOrder, findListingAgent } from './order-views.ts'
import { ordersRetention } from './orders.jobs.ts'
import {
  countUnpaidOrders,
  deleteNeverPaid,
  expireOlderThan,
  findOrder,
  findOrders,
  listNeverPaid,
  markExpired,
  markPaid,
  markRefunded,
  resumeCarriage,
  stopCarriage,
} from './orders.queries.ts'
import { ordersRoutes } from './orders.routes.ts'
import { findPayable } from './orders.ts'
import { hasReceiver } from './receivers.rules.ts'
import { changePrintedReceiver, changeReceiverWithin, checkReceiver, lockOwner } from './receivers.ts'

export type OrdersService = ReturnType<typeof registerOrders>
export type OrderActs = ReturnType<typeof orderActs>

/** Queries and steps that the desk and operators call. */
export const orderActs = (core: Core) =>
  bindTo(core, {
    findBookings,
    findOrder,
    findOrders,
    permitCreation,
    resumeCarriage,
    stopCarriage,
  })

/** Orders, their bookings and what happens to the bags. */
export function registerOrders(core: Core) {
  core.metrics.gauge('amtiati_orders_unpaid', 'Orders that wait for their payment.', () =>
    countUnpaidOrders(core),
  )
  core.streams.setAgentFinder((orderId) => findListingAgent(core, orderId))
  core.routes.push((app, scope) => ordersRoutes(core, app, scope))
  core.retention.push(...ordersRetention(core))
  return {
    ...bindTo(core, {
      assertCancellable,
      bindKey,
      cancel: cancelUnlocked,
      changePrintedReceiver,
      changeReceiverWithin,
      deleteNeverPaid,
      expireOlderThan,
      exportOrder,
      findByKey: findOrderByKey,
      findPayable,
      isCancellable,
      listNeverPaid,
      lockOwner,
      markExpired,
      markPaid,
      markPaidLate,
      markRefunded,
    }),
    checkReceiver,
    hasReceiver,
    acts: orderActs(core),
  }
}
