import type { Core } from '#server/core.ts'
import { recordAct, staffActor } from '#server/features/history/acts.ts'
import type { WorkTable } from '#server/platform/database/leases.ts'
import { createPauses } from '#server/platform/database/pauses.ts'
import { failure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { type WorkerName, workerNames } from '#server/platform/worker-names.ts'
import { auditErrors } from '#shared/desk/audit/audit.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { actOnce } from './act-once.ts'
import { countDue } from './audit.queries.ts'

const queues: Partial<Record<WorkerName, WorkTable>> = {
  shipments: 'bookings',
  tracking: 'tracked_bookings',
  messages: 'messages',
  claims: 'claims',
  inquiries: 'payment_attempts',
  refunds: 'refunds',
}

export async function listWorkers(core: Core) {
  const pauses = await createPauses(core.database).list()
  const since = new Map(pauses.map(({ name, paused_at }) => [name, paused_at]))
  const workers = []
  for (const name of workerNames) {
    const at = since.get(name)
    const table = queues[name]
    workers.push({
      name,
      pausedAt: at === undefined ? null : isoOf(at),
      waiting: table === undefined ? null : await countDue(core, table),
    })
  }
  return workers
}

/** Pauses or resumes a worker. `changed` is false when nothing changed. @throws Failure WORKER_NOT_FOUND */
export async function changeWorker(
  core: Core,
  staff: Staff,
  name: string,
  request: StaffRequest,
  { what, reason }: { readonly what: 'pause' | 'resume'; readonly reason: string },
): Promise<{ changed: boolean }> {
  if (!workerNames.some((known) => known === name)) throw failure(auditErrors, 'WORKER_NOT_FOUND')
  const pauses = createPauses(core.database)
  return actOnce(core, staff, request, {
    async perform() {
      const changed =
        what === 'pause' ? await pauses.pause([name], core.clock.now()) : await pauses.resume([name])
      if (changed.length > 0)
        await recordAct(core, {
          by: staffActor(staff),
          kind: what === 'pause' ? 'worker-paused' : 'worker-resumed',
          about: name,
          reason,
        })
      return { changed: changed.length > 0 }
    },
  })
}
