import type { Core } from '#server/platform/core.ts'
import { deskOrdersRoutes } from './desk-orders.routes.ts'
import { createDeskOrders, type DeskOrdersDeps, type DeskOrdersService } from './desk-orders.service.ts'
import { createDeskOrdersStore } from './desk-orders.store.ts'
import { createTimelineStore } from './timeline.store.ts'

/** Orders as the desk searches, lists and reads them. Without a desk its calls do not exist. */
export function registerDeskOrders(
  core: Core,
  needed: Omit<DeskOrdersDeps, 'store' | 'timeline' | 'clock'>,
): DeskOrdersService {
  const { database, clock } = core
  const store = createDeskOrdersStore(database)
  const desk = createDeskOrders({ ...needed, clock, store, timeline: createTimelineStore(database) })
  core.routes.push((app, scope) => deskOrdersRoutes(app, scope, desk))
  return desk
}
