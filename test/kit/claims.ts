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
import type { ClaimAnnouncement } from '#server/features/messages/messages.service.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createUsers } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
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

/** The claims of a fixture's orders; `told` has what was announced, in its order. */
export function openClaims(
  { database, orders, clock }: Pick<PaymentFixture, 'database' | 'orders' | 'clock'>,
  holidays: readonly string[] = [],
) {
  const told: ClaimAnnouncement[] = []
  const deps = {
    database,
    orders,
    clock,
    holidays,
    log: silentLog,
    metrics: createMetrics(),
    store: createClaimsStore(database),
    audit: createAudit({ database, store: createAuditStore(database), clock }),
    users: createUsers({ store: createSessionsStore(database) }),
    messages: {
      async announceClaim(news: ClaimAnnouncement) {
        database.assertTransaction()
        told.push(news)
      },
    },
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
    told,
  }
}
