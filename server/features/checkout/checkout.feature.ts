import type { Core } from '#server/core.ts'
import { checkoutRoutes } from './checkout.routes.ts'

export function registerCheckout(core: Core): void {
  core.routes.push((app, scope) => checkoutRoutes(core, app, scope))
}
