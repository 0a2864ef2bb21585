import { createAudit } from '#server/features/audit/audit.service.ts'
import { createAuditStore } from '#server/features/audit/audit.store.ts'
import {
  createDeskActions,
  type DeskActionsDeps,
  type DeskActionsService,
} from '#server/features/desk-actions/desk-actions.service.ts'
import { createDeskActionsStore } from '#server/features/desk-actions/desk-actions.store.ts'
import { createMessagesStore } from '#server/features/messages/messages.store.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createTrackingStore } from '#server/features/tracking/tracking.store.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { hour } from './clock.ts'
import { openOrders } from './orders.ts'

/** What staff do on a database, without cancelling; a worker of a gateway carries it out. */
export function openDeskActions(
  database: Database,
  clock: Clock,
  change: Partial<DeskActionsDeps> = {},
): DeskActionsService {
  const orders = openOrders(database, clock)
  return createDeskActions({
    ...{ database, clock, store: createDeskActionsStore(database), receivers: orders, orders: orders.acts },
    audit: createAudit({ database, store: createAuditStore(database), clock }),
    payments: createPaymentsStore(database),
    messages: createMessagesStore(database),
    tracking: createTrackingStore(database),
    cancellations: { cancelWithin: async () => undefined },
    work: { act: async () => undefined },
    isRecent: () => true,
    wake: () => undefined,
    alone: 0,
    silenceMs: 24 * hour,
    ...change,
  })
}
