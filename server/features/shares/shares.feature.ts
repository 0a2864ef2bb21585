import type { Core } from '#server/core.ts'
import { sharesRetention } from './shares.jobs.ts'
import { sharesRoutes } from './shares.routes.ts'

export function registerShares(core: Core): void {
  core.routes.push(sharesRoutes)
  core.retention.push(...sharesRetention(core))
}
