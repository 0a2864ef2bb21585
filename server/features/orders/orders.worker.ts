import type { Database } from '#server/platform/database/database.ts'
import { keepMonths } from '#server/platform/database/months.ts'
import type { Retention } from '#server/platform/retention.ts'
import type { OrdersStore } from './orders.store.ts'

interface RetentionDeps {
  readonly store: OrdersStore
  readonly keepMs: number
}

/** A label file is about 15 kB. */
const labelsPerBatch = 20
const receiversPerBatch = 100
const refusalsPerBatch = 100

/**
 * Deletes the label files older than `keepMs`; their bookings and airway bill numbers stay. PostgreSQL drops those of a month
 * together, with the first of them.
 */
export function createLabelRetention({
  store,
  database,
  keepMs,
}: RetentionDeps & { readonly database: Database }): Retention {
  const event = 'orders.labels-deleted'
  if (database.engine === 'postgres') {
    const limit = labelsPerBatch
    return { event, batch: (now) => keepMonths(database, 'labels', { now, keepMs, limit }) }
  }
  // Each round starts at the oldest file again: files that are due are deleted, so few are read twice.
  let after = 0
  return {
    event,
    async batch(now) {
      const page = await store.deleteLabels(after, now - keepMs, labelsPerBatch)
      after = page.more ? page.reached : 0
      return page
    },
  }
}

/** Deletes receivers and other numbers of orders older than `keepMs`, with the names on their airway bills. */
export function createReceiverRetention({ store, keepMs }: RetentionDeps): Retention {
  return {
    event: 'orders.receivers-deleted',
    batch: (now) => store.deleteReceivers(now - keepMs, receiversPerBatch),
  }
}

/** Deletes what agents wrote about bags that they did not accept, after `keepMs`; the reasons stay. */
export function createRefusalRetention({ store, keepMs }: RetentionDeps): Retention {
  return {
    event: 'orders.refusal-texts-deleted',
    batch: (now) => store.deleteRefusalTexts(now - keepMs, refusalsPerBatch),
  }
}
