import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { type OrdersRoutesDeps, ordersRoutes } from './orders.routes.ts'
import { createOrders, type OrdersDeps, type OrdersService } from './orders.service.ts'
import { createOrdersStore } from './orders.store.ts'
import { createReceiverRetention, createRefusalRetention } from './orders.worker.ts'
import { presentTerms } from './terms.rules.ts'

type OrdersNeeds = Pick<OrdersDeps, 'users' | 'refunds' | 'receipts' | 'stops' | 'following'>

/** Orders, their bookings and what happens to the bags. */
export function registerOrders(core: Core, needed: OrdersNeeds): OrdersService {
  const { config, database, retention } = core
  const store = createOrdersStore(database)
  const orders = createOrders({
    ...core,
    store,
    ...needed,
    openOrdersPerUser: config.limits.openOrdersPerUser,
    cancellation: config.CANCELLATION,
    terms: (now) => presentTerms(config, now),
  })
  const parts = { ...core, store }
  core.metrics.gauge('amtiati_orders_unpaid', 'Orders that wait for their payment.', store.countUnpaid)
  const keysMs = daysMs(30)
  retention.push({
    event: 'orders.keys-deleted',
    table: 'idempotency_keys',
    by: 'created_at',
    keepMs: keysMs,
  })
  // A scan is about the bag of a label, so both are kept for the same time.
  const keepMs = daysMs(retentionDays.labels)
  retention.push({ event: 'orders.scans-deleted', table: 'handover_scans', by: 'recorded_at', keepMs })
  retention.push({ event: 'orders.labels-deleted', table: 'labels', by: 'stored_at', keepMs })
  retention.push(createReceiverRetention({ ...parts, keepMs }))
  retention.push(createRefusalRetention({ ...parts, keepMs }))
  return orders
}

/** The calls under `/api/orders`, which also open, renew and return payments. */
export function registerOrderCalls(core: Core, needed: Omit<OrdersRoutesDeps, 'metrics' | 'streams'>): void {
  const { metrics, streams } = core
  streams.setAgentFinder(needed.orders.findListingAgent)
  core.routes.push((app, scope) => ordersRoutes(app, scope, { ...needed, metrics, streams }))
}
