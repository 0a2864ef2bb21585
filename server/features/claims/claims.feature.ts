import type { Core } from '#server/core.ts'
import { oncePerScrape } from '#server/platform/metrics.ts'
import { claimsRetention, lateClaims } from './claims.jobs.ts'
import { countOpenClaims } from './claims.queries.ts'
import { claimsRoutes } from './claims.routes.ts'

export function registerClaims(core: Core): void {
  core.routes.push(claimsRoutes)
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
}
