import { accountOperations } from '#shared/account/account.contract.ts'
import { checkoutOperations } from '#shared/checkout/checkout.contract.ts'
import { claimsOperations } from '#shared/claims/claims.contract.ts'
import { configOperations } from '#shared/config/config.contract.ts'
import { demoOperations } from '#shared/demo/demo.contract.ts'
import { deskActionsOperations } from '#shared/desk/actions/actions.contract.ts'
import { auditOperations } from '#shared/desk/audit/audit.contract.ts'
import { claimsDeskOperations } from '#shared/desk/claims/desk-claims.contract.ts'
import { deskOrdersOperations } from '#shared/desk/orders/desk-orders.contract.ts'
import { deskOperations } from '#shared/desk/staff/staff.contract.ts'
import { stopsOperations } from '#shared/desk/stops/stops.contract.ts'
import { workOperations } from '#shared/desk/work/work.contract.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { messagesOperations } from '#shared/messages/messages.contract.ts'
import { ordersOperations } from '#shared/orders/orders.contract.ts'
import { partnerOperations } from '#shared/partner/partner.contract.ts'
import { passesOperations } from '#shared/passes/passes.contract.ts'
import { paymentsOperations } from '#shared/payments/payments.contract.ts'
import type { Endpoint, OperationShape } from '#shared/platform/operation.ts'
import { pushOperations } from '#shared/push/push.contract.ts'
import { receiptsOperations } from '#shared/receipts/receipts.contract.ts'
import { reportsOperations } from '#shared/reports/reports.contract.ts'
import { confirmationsOperations } from '#shared/sessions/confirmations.contract.ts'
import { emailsOperations } from '#shared/sessions/emails.contract.ts'
import { sessionsOperations } from '#shared/sessions/sessions.contract.ts'
import { sharesOperations } from '#shared/shares/shares.contract.ts'
import { trackingOperations } from '#shared/tracking/tracking.contract.ts'

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

/** The operation of an endpoint, with the types of its parameters, body and answer. */
export type OperationOf<E extends Endpoint> = E extends OperationShape
  ? E
  : Extract<ByRoute[`${E['method']} ${E['path']}` & keyof ByRoute], OperationShape>
