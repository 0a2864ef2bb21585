import type { Core } from '#server/core.ts'
import { actOnce } from '#server/desk/audit/act-once.ts'
import { disclose, findWait, recordView, recordViewOnce, recordViewWithin } from '#server/desk/audit/views.ts'
import { exportActs } from '#server/features/history/acts.ts'
import { bindTo } from '#server/legacy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'

export type AuditService = ReturnType<typeof createAudit>

/** The functions of `server/desk/audit` as a service, for features that are not rebuilt yet. */
export function createAudit(parts: { readonly database: Database; readonly clock: Clock }) {
  const core = parts as Core
  return {
    ...bindTo(core, {
      recordView,
      recordWithin: recordViewWithin,
      recordOnce: recordViewOnce,
      findWait,
      reveal: disclose,
      exportActions: exportActs,
    }),
    once: <T extends object>(
      staff: Parameters<typeof actOnce>[1],
      request: Parameters<typeof actOnce>[2],
      act: Parameters<typeof actOnce<T>>[3],
    ) => actOnce<T>(core, staff, request, act),
  }
}
