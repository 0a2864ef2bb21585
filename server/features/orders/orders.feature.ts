import type { Core } from '#server/core.ts'
import { findListingAgent } from './agent-list.ts'
import { readHandoverPhotoBytes } from './handover-photos.queries.ts'
import { ordersRetention } from './orders.jobs.ts'
import { countUnpaidOrders } from './orders.queries.ts'
export function registerOrders(core: Core): void {
  core.metrics.gauge('amtiati_orders_unpaid', 'Orders that wait for their payment.', () =>
    countUnpaidOrders(core),
  )
  core.metrics.gauge(
    'amtiati_handover_photos_bytes',
    'Size of the stored pictures of hand-overs; on PostgreSQL of their table on disk.',
    () => readHandoverPhotoBytes(core),
  )
  core.streams.setAgentFinder((orderId) => findListingAgent(core, orderId))
  core.retention.push(...ordersRetention(core))
}
