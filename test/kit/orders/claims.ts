import type { Core } from '#server/core.ts'
import type { ClaimAct } from '#server/desk/claims/desk-claims.ts'
import { lateClaims } from '#server/features/claims/claims.jobs.ts'
import { insertClaim, insertCompensation, markClosed } from '#server/features/claims/claims.queries.ts'
import { recordEvent } from '#server/features/history/history.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openCore } from '../gateway/core.ts'

/** A press of staff, whose claim no colleague has. */
export const press = (key: string = crypto.randomUUID(), seen?: number): ClaimAct => ({
  key,
  seen,
  body: null,
  before: async () => undefined,
})

/** Inside a transaction: a claim about a bag that was closed with a compensation. */
export async function compensateWithin(
  core: Core,
  bag: { readonly userId: number; readonly orderId: number; readonly bookingId: number },
  halalas: number,
  now: number,
): Promise<void> {
  const claim = await insertClaim(core, {
    user_id: bag.userId,
    order_id: bag.orderId,
    booking_id: bag.bookingId,
    kind: 'other',
    idem_key: null,
    body_hash: 'h',
    opened_at: now,
    answer_by: now,
  })
  if (!claim) throw new Error('no claim was opened')
  await markClosed(core, claim.id, 'compensated', now)
  const data = { outcome: 'compensated', halalas, personal: null } as const
  const closed = { kind: 'claim-closed', data, by: { kind: 'system' }, claimId: claim.id } as const
  const event_id = await recordEvent(core, { ...closed, ...bag })
  await insertCompensation(core, { event_id: event_id ?? 0, claim_id: claim.id, halalas, reference: 'T-9' })
}

/** Claims of a database. */
export async function openClaims(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  holidays: readonly string[] = [],
) {
  const config = { WORK_HOLIDAYS: [...holidays], DESK_REFUND_ALONE: 50 }
  const core = await openCore({ database, clock }, { config })
  return {
    core,
    worker: lateClaims(core),
    /** Messages about claims, in the order in which they were written. */
    listMessages: () =>
      database.tables
        .selectFrom('messages')
        .innerJoin('events', 'events.id', 'messages.event_id')
        .select(['messages.kind', 'messages.user_id', 'messages.order_id', 'event_id', 'events.claim_id'])
        .where('events.claim_id', 'is not', null)
        .orderBy('messages.id')
        .execute(),
  }
}
