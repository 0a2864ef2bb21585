import type { Core } from '#server/core.ts'
import { configRoutes } from './config.routes.ts'

export function registerConfig(core: Core): void {
  core.routes.push((app, scope) => configRoutes(core, app, scope))
}
