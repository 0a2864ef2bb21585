import type { Core } from '#server/core.ts'
import { deleteActs } from '#server/features/history/retention.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Retention } from '#server/platform/retention.ts'
import { retentionDays } from '#shared/platform/retention.ts'

/** A page that stays open over a weekend can repeat a request, so idempotency keys are kept longer. */
const keysKeptMs = daysMs(30)
const actsPerBatch = 200

export const auditRetention = (core: Core): Retention[] => [
  {
    event: 'audit.deleted',
    batch: (now) => deleteActs(core, now - daysMs(retentionDays.operatorActions), actsPerBatch),
  },
  {
    event: 'acts.deleted',
    table: 'desk_acts',
    by: 'at',
    keepMs: keysKeptMs,
  },
]
