import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Retention } from '#server/platform/retention.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { endOldShares } from './shares.queries.ts'

const sharesPerBatch = 100

/** A link ends at the latest when the label file is deleted. */
export const sharesRetention = (core: Core): Retention[] => [
  {
    event: 'shares.deleted',
    async batch(now) {
      const before = now - daysMs(retentionDays.labels)
      const rows = await core.database.transaction(() => endOldShares(core, before, sharesPerBatch))
      return {
        rows,
        more: rows === sharesPerBatch,
      }
    },
  },
]
