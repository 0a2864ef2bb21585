import { type BatchWorker, createBatchWorker } from '#server/platform/batches.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createCount, createCountWorker } from '#server/platform/counts.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import type { Worker } from '#server/platform/worker.ts'
import { orderStatuses } from '#shared/orders/orders.schemas.ts'
import type { OrdersStore } from './orders.store.ts'

interface RetentionDeps {
  readonly store: OrdersStore
  readonly clock: Clock
  readonly log: Log
  readonly keepMs: number
}

const roundMs = 60 * 60_000
const keysPerBatch = 100
/** A label file is about 15 kB. */
const labelsPerBatch = 20

/** Deletes the idempotency keys older than `keepMs`. */
export function createKeyRetention({ store, clock, log, keepMs }: RetentionDeps): BatchWorker {
  return createBatchWorker({
    name: 'orders.key-retention',
    async batch() {
      const rows = await store.deleteKeys(clock.now() - keepMs, keysPerBatch)
      if (rows > 0) log.info({ event: 'orders.keys-deleted', rows })
      return rows === keysPerBatch
    },
    roundMs,
    log,
  })
}

/** Deletes the scans of agents older than `keepMs`; the events of the bags stay. */
export function createScanRetention({ store, clock, log, keepMs }: RetentionDeps): BatchWorker {
  return createBatchWorker({
    name: 'orders.scan-retention',
    async batch() {
      const rows = await store.deleteHandoverScans(clock.now() - keepMs, keysPerBatch)
      if (rows > 0) log.info({ event: 'orders.scans-deleted', rows })
      return rows === keysPerBatch
    },
    roundMs,
    log,
  })
}

/** Deletes the label files older than `keepMs`; their bookings and airway bill numbers stay. */
export function createLabelRetention({ store, clock, log, keepMs }: RetentionDeps): BatchWorker {
  // Each round starts at the oldest file again: files that are due are deleted, so few are read twice.
  let after = 0
  return createBatchWorker({
    name: 'orders.label-retention',
    async batch() {
      const { rows, reached, more } = await store.deleteLabels(after, clock.now() - keepMs, labelsPerBatch)
      if (rows > 0) log.info({ event: 'orders.labels-deleted', rows })
      after = more ? reached : 0
      return more
    },
    roundMs,
    log,
  })
}

/** Counts orders and their money by status in the background. */
export function createOrderCounts({
  store,
  clock,
  log,
  metrics,
}: Omit<RetentionDeps, 'keepMs'> & { readonly metrics: Metrics }): Worker {
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
