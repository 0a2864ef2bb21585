import { daysMs } from '#server/platform/batches.ts'
import type { Core } from '#server/platform/core.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { type AuditService, createAudit } from './audit.service.ts'
import { createAuditStore } from './audit.store.ts'

/** What operators and staff did. */
export function registerAudit(core: Core): AuditService {
  const { database, clock, retention } = core
  const audit = createAudit({ database, store: createAuditStore(database), clock })
  const keepMs = daysMs(retentionDays.operatorActions)
  retention.push({ event: 'audit.deleted', table: 'operator_actions', by: 'at', keepMs })
  return audit
}
