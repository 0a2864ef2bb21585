import type { Core } from '#server/core.ts'
import { checkoutRoutes } from './checkout.routes.ts'

/** Bookings: an order and its payment from one request. */
export function registerCheckout(core: Core): void {
  core.routes.push((app, scope) => checkoutRoutes(core, app, scope))
}
