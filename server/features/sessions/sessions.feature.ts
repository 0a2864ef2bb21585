import type { Core } from '#server/core.ts'
import { sessionsRetention } from './sessions.jobs.ts'
import { sessionsRoutes } from './sessions.routes.ts'

/** Sign-in, who is signed in, confirmations, addresses, and accounts whose number is gone. */
export function registerSessions(core: Core): void {
  core.routes.push((app, scope) => sessionsRoutes(core, app, scope))
  core.retention.push(...sessionsRetention(core))
}
