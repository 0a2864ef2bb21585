import type { Clock } from '#server/platform/clock.ts'
import type { OperatorActionExport } from '#shared/audit/audit.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { AuditStore } from './audit.store.ts'

const exportedAtMost = 1_000

export type AuditService = ReturnType<typeof createAudit>

/** What operators did; `npm run ops` writes it. */
export function createAudit({ store, clock }: { readonly store: AuditStore; readonly clock: Clock }) {
  return {
    /** The newest actions about a user and the user's orders. */
    async exportActions(userId: number): Promise<OperatorActionExport[]> {
      const rows = await store.listActionsOfUser(userId, exportedAtMost)
      return rows.map(({ at, action, order_id: orderId, reason }) => ({
        at: isoOf(at),
        action,
        orderId,
        reason,
      }))
    },

    /** Deletes at most `limit` actions older than `keepMs`; returns how many. */
    deleteOlderThan: (keepMs: number, limit: number) =>
      store.deleteActionsBefore(clock.now() - keepMs, limit),
  }
}
