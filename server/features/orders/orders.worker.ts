import { eraseWords } from '#server/features/history/retention.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Retention } from '#server/platform/retention.ts'
import type { OrdersStore } from './orders.store.ts'

interface RetentionDeps {
  readonly database: Database
  readonly store: OrdersStore
  readonly keepMs: number
}

const receiversPerBatch = 100
const wordsPerBatch = 100

/** Deletes receivers and other numbers of orders older than `keepMs`, with the names on their airway bills. */
export function createReceiverRetention({ store, keepMs }: RetentionDeps): Retention {
  return {
    event: 'orders.receivers-deleted',
    batch: (now) => store.deleteReceivers(now - keepMs, receiversPerBatch),
  }
}

/**
 * Deletes what agents wrote about bags that they did not accept, and why the courier issued no airway bill, after `keepMs`;
 * the reasons that agents chose stay.
 */
export function createRefusalRetention({ database, keepMs }: RetentionDeps): Retention {
  return {
    event: 'orders.refusal-texts-deleted',
    batch: (now) => eraseWords({ database }, ['not-accepted', 'label-refused'], now - keepMs, wordsPerBatch),
  }
}
