import { createAudit } from '#server/features/audit/audit.service.ts'
import {
  createDeskActions,
  type DeskActionsDeps,
  type DeskActionsService,
} from '#server/features/desk-actions/desk-actions.service.ts'
import { createDeskActionsStore } from '#server/features/desk-actions/desk-actions.store.ts'
import { messageActs } from '#server/features/messages/message-acts.ts'
import type { Cancelling } from '#server/features/orders/orders.service.ts'
import { cancelWithin } from '#server/features/payments/cancellations.ts'
import { paymentActs } from '#server/features/payments/payment-acts.ts'
import { checkBags } from '#server/features/tracking/tracking.queries.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { hour } from './clock.ts'
import { openCore } from './core.ts'
import { openOrders } from './orders.ts'

/** What acts of staff need of other features, on a database. */
export function deskActionsNeeds(database: Database, clock: Clock) {
  const orders = openOrders(database, clock)
  const cancellations = {
    async cancelWithin(userId: number, orderId: number, cancelling: Cancelling) {
      const core = await openCore({ database, clock })
      return (await cancelWithin(core, userId, orderId, cancelling)) ? () => undefined : undefined
    },
  }
  return {
    receivers: orders,
    orders: orders.acts,
    isRecent: () => true,
    audit: createAudit({ database, clock }),
    payments: paymentActs({ database }),
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
