import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { isInForce } from '#shared/stops/in-force.ts'
import { listOpenStops } from './stops.queries.ts'
import { shownStop } from './stops.rules.ts'

export function registerStops(core: Core): void {
  core.retention.push({
    event: 'stops.deleted',
    table: 'stops',
    by: 'ended_at',
    keepMs: daysMs(retentionDays.operatorActions),
  })
  core.metrics.gauge('amtiati_sales_stopped', '1 while a stop of everything is in force.', async () => {
    const open = await listOpenStops(core)
    const now = open[0]?.now ?? 0
    return Number(open.map(shownStop).some((stop) => stop.what === 'all' && isInForce(stop, now)))
  })
}
