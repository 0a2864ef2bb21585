import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/checkout/checkout.api.ts'
import { checkOut } from './checkout.ts'

export function checkoutRoutes(core: Core, { add }: Routes): void {
  add(operations.checkout, ({ body, principal, key, language }) =>
    checkOut(core, principal.userId, body, { key, language }),
  )

  add(operations.createPaymentOrder, ({ body, principal, key, language }) => {
    const { userId, amount, bookingDetails } = body
    return checkOut(core, principal.userId, { userId, amount, ...bookingDetails }, { key, language })
  })
}
