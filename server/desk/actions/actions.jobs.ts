import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Retention } from '#server/platform/retention.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { expireOldest } from './approvals.queries.ts'

const rowsPerBatch = 100

export const approvalsRetention = (core: Core): Retention[] => [
  {
    event: 'approvals.expired',
    async batch(now) {
      const rows = await core.database.transaction(() => expireOldest(core, now, rowsPerBatch))
      return { rows, more: rows === rowsPerBatch }
    },
  },
  {
    event: 'approvals.deleted',
    table: 'approvals',
    by: 'asked_at',
    keepMs: daysMs(retentionDays.operatorActions),
  },
]
