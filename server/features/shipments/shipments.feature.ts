import type { Core } from '#server/platform/core.ts'
import { createShipmentProvider } from './shipments.provider.http.ts'
import { createShipmentWorker, type ShipmentsDeps } from './shipments.worker.ts'

/** Airway bills and labels of paid bookings. */
export function registerShipments(core: Core, needed: Pick<ShipmentsDeps, 'orders' | 'users'>): void {
  const { config, externalService, workers } = core
  const account = { baseUrl: config.SHIPPING_BASE_URL, apiKey: config.SHIPPING_API_KEY }
  const worker = createShipmentWorker({
    ...core,
    provider: createShipmentProvider(account, externalService('shipping')),
    ...needed,
    quietMs: config.limits.shipmentQuietMs,
  })
  workers.set('shipments', worker)
}
