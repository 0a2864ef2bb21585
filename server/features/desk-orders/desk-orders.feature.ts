import type { Core } from '#server/core.ts'
import { deskOrdersRoutes } from './desk-orders.routes.ts'
import { createDeskOrders, type DeskOrdersDeps, type DeskOrdersService } from './desk-orders.service.ts'
import { createDeskOrdersStore } from './desk-orders.store.ts'

/** Orders as the desk searches, lists and reads them. Without a desk its calls do not exist. */
export function registerDeskOrders(
  core: Core,
  needed: Omit<
    DeskOrdersDeps,
    | 'store'
    | 'database'
    | 'clock'
    | 'readings'
    | 'silenceMs'
    | 'publicUrl'
    | 'allowedCountries'
    | 'isNotified'
  >,
): DeskOrdersService {
  const { database, clock, config, readings } = core
  const store = createDeskOrdersStore(database)
  const desk = createDeskOrders({
    ...needed,
    silenceMs: config.TRACKING_SILENCE_HOURS * 60 * 60_000,
    clock,
    readings,
    store,
    database,
    publicUrl: config.PUBLIC_URL,
    allowedCountries: config.ALLOWED_PHONE_COUNTRIES,
    isNotified: config.MESSAGES_ENABLED,
  })
  core.routes.push((app, scope) => deskOrdersRoutes(app, scope, desk))
  return desk
}
