import { accountOperations } from '#shared/account/account.api.ts'
import { checkoutOperations } from '#shared/checkout/checkout.api.ts'
import { claimsOperations } from '#shared/claims/claims.api.ts'
import { configOperations } from '#shared/config/config.api.ts'
import { demoOperations } from '#shared/demo/demo.api.ts'
import { deskActionsOperations } from '#shared/desk/actions/actions.api.ts'
import { auditOperations } from '#shared/desk/audit/audit.api.ts'
import { claimsDeskOperations } from '#shared/desk/claims/desk-claims.api.ts'
import { deskOrdersOperations } from '#shared/desk/orders/desk-orders.api.ts'
import { deskOperations } from '#shared/desk/staff/staff.api.ts'
import { stopsOperations } from '#shared/desk/stops/stops.api.ts'
import { workOperations } from '#shared/desk/work/work.api.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { messagesOperations } from '#shared/messages/messages.api.ts'
import { ordersOperations } from '#shared/orders/orders.api.ts'
import { partnerOperations } from '#shared/partner/partner.api.ts'
import { passesOperations } from '#shared/passes/passes.api.ts'
import { paymentsOperations } from '#shared/payments/payments.api.ts'
import type { Endpoint, OperationShape } from '#shared/platform/operation.ts'
import { pushOperations } from '#shared/push/push.api.ts'
import { receiptsOperations } from '#shared/receipts/receipts.api.ts'
import { reportsOperations } from '#shared/reports/reports.api.ts'
import { confirmationsOperations } from '#shared/sessions/confirmations.api.ts'
import { emailsOperations } from '#shared/sessions/emails.api.ts'
import { sessionsOperations } from '#shared/sessions/sessions.api.ts'
import { sharesOperations } from '#shared/shares/shares.api.ts'
import { trackingOperations } from '#shared/tracking/tracking.api.ts'

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

type Operations = typeof operations
type ByRoute = {
  [Name in keyof Operations as `${Operations[Name]['method']} ${Operations[Name]['path']}`]: Operations[Name]
}

export type OperationOf<E extends Endpoint> = E extends OperationShape
  ? E
  : Extract<ByRoute[`${E['method']} ${E['path']}` & keyof ByRoute], OperationShape>
