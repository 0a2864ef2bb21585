import type { Core } from '#server/core.ts'
import { reportsRoutes } from './reports.routes.ts'

/** Reports of browsers: violations of the content policy, and errors of the app. */
export function registerReports(core: Core): void {
  core.routes.push((app, scope) => reportsRoutes(core, app, scope))
}
