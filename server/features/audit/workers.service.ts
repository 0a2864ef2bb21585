import type { Core } from '#server/core.ts'
import { recordAct, staffActor } from '#server/features/history/acts.ts'
import { createPauses } from '#server/platform/database/pauses.ts'
import { failure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { type WorkerName, workerNames } from '#server/platform/worker-names.ts'
import { auditErrors } from '#shared/audit/audit.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { AuditService } from './audit.service.ts'
import type { AuditStore, Queue } from './audit.store.ts'

/** What each worker takes its work from; the others look for theirs. */
const queues: Partial<Record<WorkerName, Queue>> = {
  shipments: 'bookings',
  tracking: 'tracked_bookings',
  messages: 'messages',
  claims: 'claims',
  inquiries: 'payment_attempts',
  refunds: 'refunds',
}

export type WorkersService = ReturnType<typeof createWorkers>

/** Background work as leads see it. */
export function createWorkers(
  { database, clock }: Pick<Core, 'database' | 'clock'>,
  {
    audit,
    store,
  }: { readonly audit: Pick<AuditService, 'once'>; readonly store: Pick<AuditStore, 'countDue'> },
) {
  const pauses = createPauses(database)
  return {
    async list() {
      const since = new Map((await pauses.list()).map(({ name, paused_at }) => [name, paused_at]))
      const workers = []
      for (const name of workerNames) {
        const at = since.get(name)
        const table = queues[name]
        const waiting = table === undefined ? null : await store.countDue(table)
        workers.push({ name, pausedAt: at === undefined ? null : isoOf(at), waiting })
      }
      return workers
    },

    /** On all gateways, once under its key; `changed` is false where it was so before. @throws Failure WORKER_NOT_FOUND */
    change(
      staff: Staff,
      name: string,
      request: StaffRequest,
      { what, reason }: { readonly what: 'pause' | 'resume'; readonly reason: string },
    ): Promise<{ changed: boolean }> {
      if (!workerNames.some((known) => known === name)) throw failure(auditErrors, 'WORKER_NOT_FOUND')
      const perform = async () => {
        const { length } =
          what === 'pause' ? await pauses.pause([name], clock.now()) : await pauses.resume([name])
        const kind = what === 'pause' ? 'worker-paused' : 'worker-resumed'
        if (length > 0) await recordAct({ database }, { by: staffActor(staff), kind, about: name, reason })
        return { changed: length > 0 }
      }
      return audit.once(staff, request, { perform })
    },
  }
}
