import type { Core } from '#server/core.ts'
import { reportsRoutes } from './reports.routes.ts'

export function registerReports(core: Core): void {
  core.routes.push((app, scope) => reportsRoutes(core, app, scope))
}
