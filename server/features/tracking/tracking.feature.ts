import type { Core } from '#server/core.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import { createFollowing, createTracking } from './tracking.service.ts'
import { createTrackingStore } from './tracking.store.ts'
import { trackingWebhook } from './tracking.webhook.ts'
import { createPollWorker, createTextsWorker } from './tracking.worker.ts'

/** Which bags are followed: rows that are written with the news of their orders. */
export function registerFollowing(core: Core) {
  const { config, database } = core
  const store = createTrackingStore(database)
  return createFollowing({ ...core, store, intervalMs: config.TRACKING_POLL_INTERVAL })
}

/** Follows the bags by the courier's scans. */
export function registerTracking(core: Core, { orders }: { readonly orders: OrdersService }): void {
  const { config, database, workers } = core
  const parts = {
    ...core,
    store: createTrackingStore(database),
    provider: core.providers.tracking,
    orders,
  }
  const tracking = createTracking({
    ...parts,
    webhookKey: config.SHIPPING_WEBHOOK_KEY,
    previousWebhookKey: config.SHIPPING_WEBHOOK_KEY_PREVIOUS,
    silenceMs: config.TRACKING_SILENCE_HOURS * 60 * 60_000,
  })
  core.routes.push((app, scope) => trackingWebhook(app, scope, tracking))
  workers.set(
    'tracking',
    createPollWorker({ ...parts, record: tracking.record, intervalMs: config.TRACKING_POLL_INTERVAL }),
  )
  workers.set('trackingTexts', createTextsWorker(parts))
}
