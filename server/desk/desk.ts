import type { Core } from '#server/core.ts'
import { approvalsRetention } from './actions/actions.jobs.ts'
import { deskActionsRoutes } from './actions/actions.routes.ts'
import { auditRetention } from './audit/audit.jobs.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { deskClaimsRoutes } from './claims/desk-claims.routes.ts'
import { deskOrdersRoutes } from './orders/desk-orders.routes.ts'
import { staffRetention } from './staff/staff.jobs.ts'
import { staffRoutes } from './staff/staff.routes.ts'
import { deskStopsRoutes } from './stops/desk-stops.routes.ts'
import { registerWorkGauges, workRetention } from './work/work.jobs.ts'
import { workRoutes } from './work/work.routes.ts'

export function registerDesk(core: Core): void {
  core.routes.push(auditRoutes, deskStopsRoutes, workRoutes)
  core.retention.push(...auditRetention(core), ...workRetention())
  if (core.providers.identity !== undefined) {
    core.routes.push(staffRoutes)
    core.retention.push(...staffRetention(core))
  }
  core.routes.push(deskActionsRoutes, deskClaimsRoutes, deskOrdersRoutes)
  core.retention.push(...approvalsRetention(core))
  registerWorkGauges(core)
}
