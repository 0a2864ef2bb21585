import type { Core } from '#server/core.ts'
import { checkoutRoutes } from './checkout.routes.ts'
import { type CheckoutNeeds, createCheckout } from './checkout.service.ts'

/** Bookings: an order and its payment from one request. */
export function registerCheckout(core: Core, needed: CheckoutNeeds): void {
  const checkout = createCheckout({ ...core, ...needed, enabledTypes: core.config.ENABLED_BOOKING_TYPES })
  core.routes.push((app, scope) => checkoutRoutes(app, scope, checkout))
}
