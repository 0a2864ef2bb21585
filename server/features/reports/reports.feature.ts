import type { Core } from '#server/core.ts'
import { reportsRoutes } from './reports.routes.ts'
import { createReports } from './reports.service.ts'

/** What browsers report: violations of the content policy, and errors of the app. */
export function registerReports(core: Core): void {
  const reports = createReports(core)
  core.routes.push((app, scope) => reportsRoutes(app, scope, reports))
}
