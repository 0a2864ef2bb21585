import type { FastifyInstance } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import { isRecentSignIn } from '#server/platform/recent-sign-in.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import * as operations from '#shared/audit/audit.operations.ts'
import { deskActionsErrors } from '#shared/desk-actions/desk-actions.errors.ts'
import type { AuditService } from './audit.service.ts'
import type { WorkersService } from './workers.service.ts'

/** What only leads see and do. */
export function auditRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  {
    audit,
    workers,
    clock,
  }: { readonly audit: AuditService; readonly workers: WorkersService; readonly clock: Clock },
): void {
  registerOperation(app, scope, operations.listAudit, ({ principal, query }) =>
    audit.listForDesk(principal, query),
  )

  registerOperation(app, scope, operations.listWorkers, async () => ({ workers: await workers.list() }))

  for (const [what, operation] of [
    ['pause', operations.pauseWorker],
    ['resume', operations.resumeWorker],
  ] as const)
    registerOperation(app, scope, operation, async (call) => {
      const { principal, params, body } = call
      const { reason } = body
      if (!isRecentSignIn(principal, clock.now()))
        throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
      return workers.change(principal, params.name, staffRequestOf(operation, call), { what, reason })
    })
}
