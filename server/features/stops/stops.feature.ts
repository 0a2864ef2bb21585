import type { Core } from '#server/core.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import type { PartnerService } from '#server/features/partner/partner.feature.ts'
import { daysMs } from '#server/platform/batches.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { isInForce } from '#shared/stops/stops.rules.ts'
import { stopsRoutes } from './stops.routes.ts'
import { shownStop } from './stops.rules.ts'
import { createShownStops, createStops, type ShownStops, type StopsService } from './stops.service.ts'
import { createStopsStore } from './stops.store.ts'

interface StopsNeeds {
  readonly partner: Pick<PartnerService, 'listAgents' | 'listCenters'>
  readonly audit: Pick<AuditService, 'once'>
}

/** What is not sold. */
export function registerStops(core: Core, { partner, audit }: StopsNeeds): StopsService & ShownStops {
  const { database, log, retention, clock } = core
  const keepMs = daysMs(retentionDays.operatorActions)
  retention.push({ event: 'stops.deleted', table: 'stops', by: 'ended_at', keepMs })
  const store = createStopsStore(database)
  const stops = createStops({
    database,
    store,
    audit,
    // Selling is stopped also while a list cannot be had.
    async readLists() {
      const [agents, centers] = await Promise.allSettled([partner.listAgents(), partner.listCenters()])
      return {
        agents: agents.status === 'fulfilled' ? agents.value.rows : undefined,
        centers: centers.status === 'fulfilled' ? centers.value.rows : undefined,
      }
    },
  })
  core.metrics.gauge('amtiati_sales_stopped', '1 while a stop of everything is in force.', async () => {
    const open = await store.listOpen()
    const now = open[0]?.now ?? 0
    return Number(open.map(shownStop).some((stop) => stop.what === 'all' && isInForce(stop, now)))
  })
  core.routes.push((app, scope) => stopsRoutes(app, scope, { stops, clock }))
  return { ...stops, ...createShownStops({ store, log }) }
}
