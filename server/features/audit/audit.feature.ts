import { daysMs } from '#server/platform/batches.ts'
import type { Core } from '#server/platform/core.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { type AuditService, createAudit } from './audit.service.ts'
import { createAuditStore } from './audit.store.ts'
import { createAuditRetention } from './audit.worker.ts'

/** What operators did. */
export function registerAudit(core: Core): AuditService {
  const { database, clock, log, retention } = core
  const audit = createAudit({ store: createAuditStore(database), clock })
  retention.set('audit', createAuditRetention({ audit, keepMs: daysMs(retentionDays.operatorActions), log }))
  return audit
}
