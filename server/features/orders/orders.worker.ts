import type { Clock } from '#server/platform/clock.ts'
import { createCount, createCountWorker } from '#server/platform/counts.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import type { Retention } from '#server/platform/retention.ts'
import type { Worker } from '#server/platform/worker.ts'
import { orderStatuses } from '#shared/orders/orders.schemas.ts'
import type { OrdersStore } from './orders.store.ts'

interface RetentionDeps {
  readonly store: OrdersStore
  readonly clock: Clock
  readonly keepMs: number
}

/** A label file is about 15 kB. */
const labelsPerBatch = 20

/** Deletes the label files older than `keepMs`; their bookings and airway bill numbers stay. */
export function createLabelRetention({ store, clock, keepMs }: RetentionDeps): Retention {
  // Each round starts at the oldest file again: files that are due are deleted, so few are read twice.
  let after = 0
  return {
    event: 'orders.labels-deleted',
    async batch() {
      const page = await store.deleteLabels(after, clock.now() - keepMs, labelsPerBatch)
      after = page.more ? page.reached : 0
      return page
    },
  }
}

/** Counts orders and their money by status in the background. */
export function createOrderCounts({
  store,
  clock,
  log,
  metrics,
}: Omit<RetentionDeps, 'keepMs'> & { readonly log: Log; readonly metrics: Metrics }): Worker {
  const orders = createCount(store.countOrders, clock)
  const shown = (what: 'count' | 'halalas') => async () =>
    new Map(orderStatuses.map((status) => [status, orders.shown(status, what)]))
  metrics.gaugeBy(
    'amtiati_orders',
    'Orders by status, when last counted.',
    'status',
    orderStatuses,
    shown('count'),
  )
  metrics.gaugeBy(
    'amtiati_orders_halalas',
    'What the orders cost, by status, when last counted.',
    'status',
    orderStatuses,
    shown('halalas'),
  )
  return createCountWorker({ name: 'orders.counts', counts: { orders }, clock, log, metrics })
}
