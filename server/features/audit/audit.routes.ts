import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/audit/audit.operations.ts'
import type { AuditService } from './audit.service.ts'
import type { WorkersService } from './workers.service.ts'

/** What only leads see and do. */
export function auditRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  { audit, workers }: { readonly audit: AuditService; readonly workers: WorkersService },
): void {
  registerOperation(app, scope, operations.listAudit, ({ principal, query }) =>
    audit.listForDesk(principal, query),
  )

  registerOperation(app, scope, operations.listWorkers, async () => ({ workers: await workers.list() }))

  registerOperation(app, scope, operations.pauseWorker, async ({ principal, params }) => ({
    changed: await workers.change(principal, params.name, 'pause'),
  }))

  registerOperation(app, scope, operations.resumeWorker, async ({ principal, params }) => ({
    changed: await workers.change(principal, params.name, 'resume'),
  }))
}
