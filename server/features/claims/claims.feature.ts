import type { Core } from '#server/core.ts'
import { bindTo } from '#server/legacy.ts'
import { oncePerScrape } from '#server/platform/metrics.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { claimsRetention, lateClaims } from './claims.jobs.ts'
import { countOpenClaims, eraseClaimsOfUser } from './claims.queries.ts'
import { claimsRoutes } from './claims.routes.ts'
import { offeredKinds } from './claims.rules.ts'
import { exportClaims, hasOpenClaim, isBagReported, readClaimStep } from './claims.ts'

export function registerClaims(core: Core) {
  core.routes.push((app, scope) => claimsRoutes(core, app, scope))
  core.workers.set('claims', lateClaims(core))
  core.retention.push(...claimsRetention(core))
  const read = oncePerScrape(() => countOpenClaims(core))
  core.metrics.gaugeBy(
    'amtiati_claims',
    'Claims that wait for an answer, counted to 1,000: in time, or past a day that was promised.',
    'wait',
    ['in-time', 'overdue'],
    async () => {
      const { inTime, overdue } = await read()
      return new Map(Object.entries({ 'in-time': inTime, overdue }))
    },
  )
  const kindsOf = (_core: Core, promises: Promises | undefined, bag: Pick<Booking, 'state' | 'events'>) =>
    offeredKinds(promises, bag, core.clock.now())
  return bindTo(core, {
    eraseUser: eraseClaimsOfUser,
    exportClaims,
    hasOpen: hasOpenClaim,
    isReported: isBagReported,
    kindsOf,
    readStep: readClaimStep,
  })
}
