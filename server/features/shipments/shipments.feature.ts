import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Core } from '#server/platform/core.ts'
import { createShipmentProvider } from './shipments.provider.http.ts'
import { createShipmentWorker } from './shipments.worker.ts'

interface ShipmentsNeeds {
  readonly orders: OrdersService
  readonly users: UsersService
}

/** Airway bills and labels of paid bookings. */
export function registerShipments(core: Core, { orders, users }: ShipmentsNeeds): void {
  const { config, externalService, workers } = core
  const account = { baseUrl: config.SHIPPING_BASE_URL, apiKey: config.SHIPPING_API_KEY }
  const worker = createShipmentWorker({
    ...core,
    orders,
    provider: createShipmentProvider(account, externalService('shipping')),
    users,
    quietMs: config.limits.shipmentQuietMs,
  })
  workers.set('shipments', worker)
}
