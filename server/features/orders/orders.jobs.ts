import type { Core } from '#server/core.ts'
import { eraseWords } from '#server/features/history/retention.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Retention } from '#server/platform/retention.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { deleteReceivers } from './receivers.queries.ts'

const rowsPerBatch = 100
const keysMs = daysMs(30)
const keepMs = daysMs(retentionDays.labels)

export const ordersRetention = (core: Core): Retention[] => [
  {
    event: 'orders.keys-deleted',
    table: 'idempotency_keys',
    by: 'created_at',
    keepMs: keysMs,
  },
  {
    event: 'orders.scans-deleted',
    table: 'handover_scans',
    by: 'recorded_at',
    keepMs,
  },
  {
    event: 'orders.labels-deleted',
    table: 'labels',
    by: 'stored_at',
    keepMs,
  },
  {
    event: 'orders.photos-deleted',
    table: 'handover_photos',
    by: 'delete_at',
    keepMs: 0,
  },
  {
    event: 'orders.receivers-deleted',
    batch: (now) => deleteReceivers(core, now - keepMs, rowsPerBatch),
  },
  {
    event: 'orders.refusal-texts-deleted',
    batch: (now) => eraseWords(core, ['not-accepted', 'label-refused'], now - keepMs, rowsPerBatch),
  },
]
