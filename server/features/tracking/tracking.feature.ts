import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { Core } from '#server/platform/core.ts'
import { createTrackingProvider } from './tracking.provider.http.ts'
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
  const { config, database, externalService, workers } = core
  const account = { baseUrl: config.SHIPPING_BASE_URL, apiKey: config.SHIPPING_API_KEY }
  const parts = {
    ...core,
    store: createTrackingStore(database),
    // A breaker of its own: a courier that does not track goes on making shipments.
    provider: createTrackingProvider(account, externalService('tracking')),
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
