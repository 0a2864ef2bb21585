import type { Core } from '#server/core.ts'
import { accountRoutes } from './account.routes.ts'

export function registerAccount(core: Core): void {
  core.routes.push((app, scope) => accountRoutes(core, app, scope))
}
