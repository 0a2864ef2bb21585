import { createAudit } from '#server/features/audit/audit.service.ts'
import {
  createDeskActions,
  type DeskActionsDeps,
  type DeskActionsService,
} from '#server/features/desk-actions/desk-actions.service.ts'
import { createDeskActionsStore } from '#server/features/desk-actions/desk-actions.store.ts'
import { messageActs } from '#server/features/messages/message-acts.ts'
import { createCancellations } from '#server/features/payments/cancellations.service.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createUsers } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { checkBags } from '#server/features/tracking/tracking.queries.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { hour } from './clock.ts'
import { silentLog } from './feature-app.ts'
import { openOrders } from './orders.ts'

/** What acts of staff need of other features, on a database. */
export function deskActionsNeeds(database: Database, clock: Clock) {
  const orders = openOrders(database, clock)
  const cancellations = createCancellations({
    database,
    clock,
    orders,
    log: silentLog,
    metrics: createMetrics(),
    store: createPaymentsStore(database),
    users: createUsers({ database, store: createSessionsStore(database) }),
    onInquiryDue: () => undefined,
  })
  return {
    receivers: orders,
    orders: orders.acts,
    isRecent: () => true,
    audit: createAudit({ database, clock }),
    payments: createPaymentsStore(database),
    messages: messageActs({ database }),
    tracking: {
      checkBags: (orderId: number, now: number, silentBefore: number) =>
        checkBags({ database }, orderId, now, silentBefore),
    },
    cancellations,
    work: { act: async () => undefined },
    canWarn: async () => true,
    sessions: { endAllSessions: async () => 0 },
  }
}

/** What staff do on a database. */
export function openDeskActions(
  database: Database,
  clock: Clock,
  change: Partial<DeskActionsDeps> = {},
): DeskActionsService {
  return createDeskActions({
    ...deskActionsNeeds(database, clock),
    database,
    clock,
    store: createDeskActionsStore(database),
    wake: () => undefined,
    alone: 0,
    silenceMs: 24 * hour,
    ...change,
  })
}
