import { accountErrors } from '#shared/account/account.errors.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { partnerErrors } from '#shared/partner/partner.errors.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

/** Every failure of the API by its code. */
export const errors = {
  ...platformErrors,
  ...sessionsErrors,
  ...accountErrors,
  ...partnerErrors,
  ...checkoutErrors,
  ...paymentsErrors,
  ...ordersErrors,
} as const

export type ErrorCode = keyof typeof errors
