import { accountErrors } from '#shared/account/account.errors.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { claimsErrors } from '#shared/claims/claims.errors.ts'
import { demoErrors } from '#shared/demo/demo.errors.ts'
import { deskActionsErrors } from '#shared/desk/actions/actions.errors.ts'
import { auditErrors } from '#shared/desk/audit/audit.errors.ts'
import { deskOrdersErrors } from '#shared/desk/orders/desk-orders.errors.ts'
import { deskErrors } from '#shared/desk/staff/staff.errors.ts'
import { workErrors } from '#shared/desk/work/work.errors.ts'
import { messagesErrors } from '#shared/messages/messages.errors.ts'
import { operatorsErrors } from '#shared/operators/operators.errors.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { partnerErrors } from '#shared/partner/partner.errors.ts'
import { passesErrors } from '#shared/passes/passes.errors.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { pushErrors } from '#shared/push/push.errors.ts'
import { receiptsErrors } from '#shared/receipts/receipts.errors.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { sharesErrors } from '#shared/shares/shares.errors.ts'
import { stopsErrors } from '#shared/stops/stops.errors.ts'
import { trackingErrors } from '#shared/tracking/tracking.errors.ts'

export const errors = {
  ...platformErrors,
  ...sessionsErrors,
  ...accountErrors,
  ...partnerErrors,
  ...checkoutErrors,
  ...paymentsErrors,
  ...ordersErrors,
  ...messagesErrors,
  ...pushErrors,
  ...trackingErrors,
  ...receiptsErrors,
  ...sharesErrors,
  ...claimsErrors,
  ...passesErrors,
  ...stopsErrors,
  ...operatorsErrors,
  ...demoErrors,
  // desk
  ...deskErrors,
  ...deskOrdersErrors,
  ...deskActionsErrors,
  ...workErrors,
  ...auditErrors,
  // desk
} as const

export type ErrorCode = keyof typeof errors
