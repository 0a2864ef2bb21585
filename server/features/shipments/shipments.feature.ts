import type { Core } from '#server/core.ts'
import { countStopped, readUnissued, readUnlabelled } from '#server/features/orders/bookings.queries.ts'
import { airwayBills } from './shipments.jobs.ts'

export function registerShipments(core: Core): void {
  const { clock, metrics, workers } = core
  workers.set('shipments', airwayBills(core))
  metrics.queue('shipments', clock, () => readUnissued(core))
  metrics.queue('labels', clock, () => readUnlabelled(core))
  metrics.gauge(
    'amtiati_bookings_needing_person',
    'Paid bookings whose creations are used up without an airway bill: `npm run ops -- stuck` lists them.',
    () => countStopped(core),
  )
}
