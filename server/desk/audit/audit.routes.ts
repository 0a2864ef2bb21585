import type { Core } from '#server/core.ts'
import { listActs } from '#server/features/history/acts.ts'
import { failure } from '#server/platform/errors.ts'
import { isRecentSignIn } from '#server/platform/recent-sign-in.ts'
import type { Routes } from '#server/platform/routes.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { deskActionsErrors } from '#shared/desk/actions/actions.errors.ts'
import type { AuditFilter, AuditPage } from '#shared/desk/audit/audit.api.ts'
import * as operations from '#shared/desk/audit/audit.api.ts'
import { listPeople } from './audit.queries.ts'
import { auditRowOf } from './audit.rules.ts'
import { changeWorker, listWorkers } from './workers.ts'

export function auditRoutes(core: Core, { add }: Routes): void {
  add(operations.listAudit, ({ principal, query }) => readAuditPage(core, principal, query))

  add(operations.listWorkers, async () => ({ workers: await listWorkers(core) }))

  for (const [what, operation] of [
    ['pause', operations.pauseWorker],
    ['resume', operations.resumeWorker],
  ] as const)
    add(operation, async ({ principal, params, form, body }) => {
      if (!isRecentSignIn(principal, core.clock.now()))
        throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
      return changeWorker(core, principal, params.name, form, { what, reason: body.reason })
    })
}

const rowsOfPage = 50
const numberIn = (text: string | undefined) => (text === undefined ? undefined : Number(text))

async function readAuditPage(
  core: Core,
  staff: Pick<Staff, 'issuer'>,
  { cursor, person, order, user, action }: AuditFilter,
): Promise<AuditPage> {
  const acts = await listActs(core, {
    before: numberIn(cursor),
    by: person === undefined ? undefined : { issuer: staff.issuer, subject: person },
    kind: action,
    orderId: numberIn(order),
    userId: numberIn(user),
    limit: rowsOfPage,
  })
  const last = acts.at(-1)
  return {
    rows: acts.map(auditRowOf),
    nextCursor: acts.length === rowsOfPage && last ? String(last.id) : null,
    people: await listPeople(core, staff.issuer),
  }
}
