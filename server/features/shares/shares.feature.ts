import type { OrdersService } from '#server/features/orders/orders.service.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Core } from '#server/platform/core.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { sharesRoutes } from './shares.routes.ts'
import { createShares, type SharesService } from './shares.service.ts'
import { createSharesStore } from './shares.store.ts'

/** Links that show where the bags of an order are. */
export function registerShares(core: Core, { orders }: { readonly orders: OrdersService }): SharesService {
  const { config, database, retention } = core
  const shares = createShares({
    ...core,
    store: createSharesStore(database),
    orders,
    publicUrl: config.PUBLIC_URL,
  })
  core.routes.push((app, scope) => sharesRoutes(app, scope, shares, core.streams))
  // A link made with the airway bill ends with its file at the latest.
  const keepMs = daysMs(retentionDays.labels)
  retention.push({ event: 'shares.deleted', table: 'order_shares', by: 'created_at', keepMs })
  return shares
}
