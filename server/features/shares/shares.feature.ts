import type { Core } from '#server/core.ts'
import { bindTo } from '#server/legacy.ts'
import { sharesRetention } from './shares.jobs.ts'
import { endSharesOfOrders } from './shares.queries.ts'
import { sharesRoutes } from './shares.routes.ts'

export function registerShares(core: Core) {
  core.routes.push((app, scope) => sharesRoutes(core, app, scope))
  core.retention.push(...sharesRetention(core))
  return bindTo(core, { endOfOrders: endSharesOfOrders })
}
