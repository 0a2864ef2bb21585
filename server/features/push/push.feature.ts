import type { Core } from '#server/core.ts'
import { bindTo } from '#server/legacy.ts'
import { pushRoutes } from './push.routes.ts'
import { exportSubscriptions, hasBrowser, sendPush } from './push.ts'

export function registerPush(core: Core) {
  core.routes.push((app, scope) => pushRoutes(core, app, scope))
  return bindTo(core, {
    exportSubscriptions,
    hasBrowser,
    send: sendPush,
  })
}
