import type { OperatorActionExport } from '#shared/audit/audit.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { AuditStore } from './audit.store.ts'

const exportedAtMost = 1_000

export type AuditService = ReturnType<typeof createAudit>

/** What operators did; `npm run ops` writes it. */
export function createAudit({ store }: { readonly store: AuditStore }) {
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
  }
}
