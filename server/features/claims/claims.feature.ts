import type { WorkService } from '#server/features/work/work.service.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Core } from '#server/platform/core.ts'
import { oncePerScrape } from '#server/platform/metrics.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { claimsDeskRoutes } from './claims.desk.routes.ts'
import { type ClaimsDesk, createClaimsDesk, type MoveCompensation } from './claims.desk.service.ts'
import { claimsRoutes } from './claims.routes.ts'
import { type ClaimsDeps, type ClaimsService, createClaims, createSteps } from './claims.service.ts'
import { createClaimsStore } from './claims.store.ts'
import { createLateWorker } from './claims.worker.ts'

const claimsPerBatch = 20

/** Problems with bags: what owners report, what staff answer, and the days until which they do. */
export function registerClaims(
  core: Core,
  {
    work,
    moveCompensation,
    ...needed
  }: Pick<ClaimsDeps, 'users' | 'orders' | 'audit'> & {
    readonly work: Pick<WorkService, 'act'>
    readonly moveCompensation: MoveCompensation
  },
): ClaimsService & { readonly desk: ClaimsDesk } {
  const { config, database, retention, metrics } = core
  const store = createClaimsStore(database)
  const deps = { ...core, store, ...needed, holidays: config.WORK_HOLIDAYS }
  const steps = createSteps(deps)
  const claims = createClaims(deps, steps)
  const desk = createClaimsDesk(deps, { claims, steps, moveCompensation })
  core.routes.push(async (app, scope) => {
    await claimsRoutes(app, scope, claims)
    await claimsDeskRoutes(app, scope, { desk, work })
  })
  core.workers.set('claims', createLateWorker(deps, steps))
  const read = oncePerScrape(store.countWaiting)
  metrics.gaugeBy(
    'amtiati_claims',
    'Claims that wait for an answer, counted to 1,000: in time, or past a day that was promised.',
    'wait',
    ['in-time', 'overdue'],
    async () => {
      const { inTime, overdue } = await read()
      return new Map(Object.entries({ 'in-time': inTime, overdue }))
    },
  )
  retention.push({
    event: 'claims.photos-deleted',
    table: 'claim_photos',
    by: 'stored_at',
    keepMs: daysMs(retentionDays.claimPhotos),
  })
  retention.push({
    event: 'claims.deleted',
    batch: (now) =>
      database.transaction(() => store.deleteUntouched(now - daysMs(retentionDays.claims), claimsPerBatch)),
  })
  return { ...claims, desk }
}
