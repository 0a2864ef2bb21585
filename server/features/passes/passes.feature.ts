import type { Core } from '#server/core.ts'
import { passesRoutes } from './passes.routes.ts'

/** The barcode of a bag in a wallet, and the hours of its branch in a calendar. */
export function registerPasses(core: Core): void {
  core.routes.push((app, scope) => passesRoutes(core, app, scope))
}
