import type { Core } from '#server/core.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import { daysMs } from '#server/platform/batches.ts'
import { oncePerScrape } from '#server/platform/metrics.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { type WorkList, workKinds } from '#shared/work/work.schemas.ts'
import { workRoutes } from './work.routes.ts'
import { createWork, type WorkService } from './work.service.ts'
import { createWorkStore } from './work.store.ts'

/** What waits for a person, and which person of the desk has it. */
export function registerWork(core: Core, { audit }: { readonly audit: AuditService }): WorkService {
  const { config, database, clock, retention, streams } = core
  const work = createWork({
    store: createWorkStore(database),
    audit,
    database,
    clock,
    silenceMs: config.TRACKING_SILENCE_HOURS * 60 * 60_000,
  })
  core.routes.push((app, scope) => workRoutes(app, scope, { work, streams }))
  if (config.DESK_OIDC_ISSUER !== undefined) registerGauges(core, work)
  // What was taken and forgotten; rows of people who are gone count for nothing.
  retention.push({ event: 'work.takes-deleted', table: 'desk_work', by: 'moved_at', keepMs: daysMs(1) })
  retention.push({
    event: 'work.findings-deleted',
    table: 'payment_findings',
    by: 'closed_at',
    keepMs: daysMs(retentionDays.paymentDetails),
  })
  return work
}

function registerGauges({ metrics, clock }: Core, work: WorkService): void {
  const read = oncePerScrape(() => work.readLists())
  const gauge = (
    name: 'amtiati_desk_work' | 'amtiati_desk_work_late' | 'amtiati_desk_work_oldest_age_seconds',
    help: string,
    of: (list: WorkList) => number,
  ) =>
    metrics.gaugeBy(
      name,
      help,
      'kind',
      workKinds,
      async () => new Map((await read()).map((list) => [list.kind, of(list)])),
    )
  gauge('amtiati_desk_work', 'Rows of each work list of the desk, counted to 1,000.', ({ count }) => count)
  gauge('amtiati_desk_work_late', 'Those past the limit of their list.', ({ late }) => late)
  gauge('amtiati_desk_work_oldest_age_seconds', 'How long the oldest row has waited.', ({ oldest }) =>
    oldest === null ? 0 : Math.max(0, clock.now() - Date.parse(oldest)) / 1_000,
  )
}
