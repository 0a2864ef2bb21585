import type { Core } from '#server/core.ts'
import { sessionsRetention } from './sessions.jobs.ts'
import { sessionsRoutes } from './sessions.routes.ts'

export function registerSessions(core: Core): void {
  core.routes.push(sessionsRoutes)
  core.retention.push(...sessionsRetention(core))
}
