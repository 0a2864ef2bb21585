import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Retention } from '#server/platform/retention.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { recordStep } from './claim-steps.ts'
import { deleteOldClaims, leaseLateClaim, markLate } from './claims.queries.ts'
import { claimRules, deadlineAfter } from './claims.rules.ts'

/** A claim is marked as late up to this long after its deadline. */
const roundMs = 30_000
const claimsPerBatch = 20

export const lateClaims = (core: Core): Worker =>
  createWorker({
    name: 'claims',
    claim: () => leaseLateClaim(core),
    async run(claim) {
      // The claim is due by the database's time. Clocks can differ, so the time must not be before the deadline.
      const at = Math.max(claim.claimed_at, claim.answer_by)
      const answerBy = deadlineAfter(at, claimRules.lateDays, core.config.WORK_HOLIDAYS)
      await core.database.transaction(async () => {
        const late = await markLate(core, claim, answerBy, at)
        if (!late) return
        await recordStep(core, late, {
          kind: 'claim-late',
          data: {},
          by: { kind: 'system' },
          at,
        })
        core.afterCommit(() =>
          core.log.warn({ event: 'claims.late', claimId: claim.id, orderId: claim.order_id }),
        )
      })
    },
    parallel: 1,
    roundMs,
    log: core.log,
  })

export const claimsRetention = (core: Core): Retention[] => [
  {
    event: 'claims.photos-deleted',
    table: 'claim_photos',
    by: 'stored_at',
    keepMs: daysMs(retentionDays.claimPhotos),
  },
  {
    event: 'claims.deleted',
    batch: (now) =>
      core.database.transaction(() =>
        deleteOldClaims(core, now - daysMs(retentionDays.claims), claimsPerBatch),
      ),
  },
]
