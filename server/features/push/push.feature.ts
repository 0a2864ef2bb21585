import type { Core } from '#server/core.ts'
import { pushRoutes } from './push.routes.ts'

export function registerPush(core: Core): void {
  core.routes.push((app, scope) => pushRoutes(core, app, scope))
}
