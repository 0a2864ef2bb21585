import type { Core } from '#server/core.ts'
import { passesRoutes } from './passes.routes.ts'

export function registerPasses(core: Core): void {
  core.routes.push((app, scope) => passesRoutes(core, app, scope))
}
