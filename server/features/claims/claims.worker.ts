import { randomUUID } from 'node:crypto'
import type { Claimed } from '#server/platform/database/leases.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import { claimRules, deadlineAfter } from './claims.rules.ts'
import type { ClaimSteps, ClaimsDeps } from './claims.service.ts'

/** A day ends at midnight: half a minute later is soon enough. */
const roundMs = 30_000

/** Promises another day where one has passed without an answer, and says so. */
export function createLateWorker(deps: ClaimsDeps, steps: ClaimSteps): Worker {
  const { database, store, holidays, log } = deps
  return createWorker<Claimed<'claims'>>({
    name: 'claims',
    claim: () => store.claimLate(randomUUID(), database.now(claimRules.leaseMs)),
    async run(claim) {
      // By the database's time, by which it was due; never earlier than the day that has passed.
      const now = Math.max(claim.claimed_at, claim.answer_by)
      const answerBy = deadlineAfter(now, claimRules.lateDays, holidays)
      const step = { kind: 'claim-late', data: {}, by: { kind: 'system' }, at: now } as const
      const late = await steps.take(step, () => store.markLate(claim, answerBy, now))
      if (late) log.warn({ event: 'claims.late', claimId: claim.id, orderId: claim.order_id })
    },
    parallel: 1,
    roundMs,
    log,
  })
}
