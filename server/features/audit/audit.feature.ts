import type { Core } from '#server/core.ts'
import { deleteActs } from '#server/features/history/retention.ts'
import { daysMs } from '#server/platform/batches.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { auditRoutes } from './audit.routes.ts'
import { type AuditService, createAudit } from './audit.service.ts'
import { createAuditStore } from './audit.store.ts'
import { createWorkers } from './workers.service.ts'

/** A request is repeated within minutes, or after a weekend from a page that was left open. */
const actsKeptMs = daysMs(30)
const actsPerBatch = 200

/** What operators and staff did. */
export function registerAudit(core: Core): AuditService {
  const { database, clock, retention } = core
  const store = createAuditStore(database)
  const audit = createAudit({ database, store, clock })
  const keepMs = daysMs(retentionDays.operatorActions)
  retention.push({
    event: 'audit.deleted',
    batch: (now) => deleteActs({ database }, now - keepMs, actsPerBatch),
  })
  retention.push({ event: 'acts.deleted', table: 'desk_acts', by: 'at', keepMs: actsKeptMs })
  const workers = createWorkers(core, { audit, store })
  core.routes.push((app, scope) => auditRoutes(app, scope, { audit, workers, clock }))
  return audit
}
