import { accountOperations } from '#shared/account/account.operations.ts'
import { checkoutOperations } from '#shared/checkout/checkout.operations.ts'
import { claimsOperations } from '#shared/claims/claims.operations.ts'
import { configOperations } from '#shared/config/config.operations.ts'
import { demoOperations } from '#shared/demo/demo.operations.ts'
import { deskActionsOperations } from '#shared/desk/actions/actions.operations.ts'
import { auditOperations } from '#shared/desk/audit/audit.operations.ts'
import { claimsDeskOperations } from '#shared/desk/claims/desk-claims.operations.ts'
import { deskOrdersOperations } from '#shared/desk/orders/desk-orders.operations.ts'
import { deskOperations } from '#shared/desk/staff/staff.operations.ts'
import { stopsOperations } from '#shared/desk/stops/stops.operations.ts'
import { workOperations } from '#shared/desk/work/work.operations.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { messagesOperations } from '#shared/messages/messages.operations.ts'
import { ordersOperations } from '#shared/orders/orders.operations.ts'
import { partnerOperations } from '#shared/partner/partner.operations.ts'
import { passesOperations } from '#shared/passes/passes.operations.ts'
import { paymentsOperations } from '#shared/payments/payments.operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { pushOperations } from '#shared/push/push.operations.ts'
import { receiptsOperations } from '#shared/receipts/receipts.operations.ts'
import { reportsOperations } from '#shared/reports/reports.operations.ts'
import { confirmationsOperations } from '#shared/sessions/confirmations.operations.ts'
import { emailsOperations } from '#shared/sessions/emails.operations.ts'
import { sessionsOperations } from '#shared/sessions/sessions.operations.ts'
import { sharesOperations } from '#shared/shares/shares.operations.ts'
import { trackingOperations } from '#shared/tracking/tracking.operations.ts'

export const operations = {
  ...sessionsOperations,
  ...confirmationsOperations,
  ...emailsOperations,
  ...accountOperations,
  ...partnerOperations,
  ...checkoutOperations,
  ...paymentsOperations,
  ...ordersOperations,
  ...trackingOperations,
  ...receiptsOperations,
  ...sharesOperations,
  ...claimsOperations,
  ...passesOperations,
  ...configOperations,
  ...reportsOperations,
  ...messagesOperations,
  ...pushOperations,
  ...demoOperations,
  // desk
  ...deskOperations,
  ...deskOrdersOperations,
  ...workOperations,
  ...auditOperations,
  ...deskActionsOperations,
  ...stopsOperations,
  ...claimsDeskOperations,
  // desk
} as const satisfies Record<string, OperationShape & { readonly errors?: readonly ErrorCode[] }>
