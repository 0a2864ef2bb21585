import type { Core } from '#server/core.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import { daysMs } from '#server/platform/batches.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { sharesRoutes } from './shares.routes.ts'
import { createShares, type SharesService } from './shares.service.ts'
import { createSharesStore } from './shares.store.ts'

const sharesPerBatch = 100

/** Links that show where the bags of an order are. */
export function registerShares(core: Core, { orders }: { readonly orders: OrdersService }): SharesService {
  const { config, database, retention } = core
  const store = createSharesStore(database)
  const shares = createShares({
    ...core,
    store,
    orders,
    publicUrl: config.PUBLIC_URL,
  })
  core.routes.push((app, scope) => sharesRoutes(app, scope, shares, core.streams))
  // A link made with the airway bill ends with its file at the latest.
  const keepMs = daysMs(retentionDays.labels)
  retention.push({
    event: 'shares.deleted',
    async batch(now) {
      const rows = await database.transaction(() => store.endOldShares(now - keepMs, sharesPerBatch))
      return { rows, more: rows === sharesPerBatch }
    },
  })
  return shares
}
