import type { Core } from '#server/core.ts'
import { createShipmentWorker, type ShipmentsDeps } from './shipments.worker.ts'

/** Airway bills and labels of paid bookings. */
export function registerShipments(core: Core, needed: Pick<ShipmentsDeps, 'orders' | 'users'>): void {
  const { config, workers } = core
  const worker = createShipmentWorker({
    ...core,
    provider: core.providers.shipments,
    ...needed,
    quietMs: config.limits.shipmentQuietMs,
  })
  workers.set('shipments', worker)
}
