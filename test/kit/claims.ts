import { createAudit } from '#server/features/audit/audit.service.ts'
import { createAuditStore } from '#server/features/audit/audit.store.ts'
import {
  type ClaimAct,
  createClaimsDesk,
  type MoveCompensation,
} from '#server/features/claims/claims.desk.service.ts'
import { createClaims, createSteps } from '#server/features/claims/claims.service.ts'
import { createClaimsStore } from '#server/features/claims/claims.store.ts'
import { createLateWorker } from '#server/features/claims/claims.worker.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createUsers } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { silentLog } from './feature-app.ts'
import type { PaymentFixture } from './payment-fixture.ts'

/** A press of staff, whose claim no colleague has. */
export const press = (key: string = crypto.randomUUID(), seen?: number): ClaimAct => ({
  key,
  seen,
  body: null,
  before: async () => undefined,
})

/** Inside a transaction: a claim about a bag that was closed with a compensation. */
export async function compensateWithin(
  database: Database,
  bag: { readonly userId: number; readonly orderId: number; readonly bookingId: number },
  halalas: number,
  now: number,
): Promise<void> {
  const store = createClaimsStore(database)
  const claim = await store.insertClaim({
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
  await store.close(claim.id, 'compensated', now)
  const data = { outcome: 'compensated', halalas, personal: null } as const
  const closed = { kind: 'claim-closed', data, by: { kind: 'system' }, claimId: claim.id } as const
  const event_id = await recordEvent({ database }, { ...closed, ...bag })
  await store.addCompensation({ event_id: event_id ?? 0, claim_id: claim.id, halalas, reference: 'T-9' })
}

/** The claims of a fixture's orders. */
export function openClaims(
  { database, orders, clock }: Pick<PaymentFixture, 'database' | 'orders' | 'clock'>,
  holidays: readonly string[] = [],
) {
  const deps = {
    database,
    orders,
    clock,
    holidays,
    log: silentLog,
    metrics: createMetrics(),
    store: createClaimsStore(database),
    audit: createAudit({ database, store: createAuditStore(database), clock }),
    users: createUsers({ database, store: createSessionsStore(database) }),
  }
  const steps = createSteps(deps)
  const claims = createClaims(deps, steps)
  let isAlone = false
  const compensations: Awaited<ReturnType<Parameters<MoveCompensation>[1]['wish']>>[] = []
  const moveCompensation: MoveCompensation = async (_staff, { orderId, wish, act }) => {
    await createPaymentsStore(database).lockAttempts(orderId)
    compensations.push(await wish())
    if (!isAlone) return 1
    await act()
    return undefined
  }
  const desk = createClaimsDesk(deps, { claims, steps, moveCompensation })
  return {
    claims,
    desk,
    /** What was wanted, in its order. */
    compensations,
    mayCompensateAlone(may: boolean): void {
      isAlone = may
    },
    worker: createLateWorker(deps, steps),
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
