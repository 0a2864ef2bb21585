import { accountOperations } from '#shared/account/account.operations.ts'
import { checkoutOperations } from '#shared/checkout/checkout.operations.ts'
import { configOperations } from '#shared/config/config.operations.ts'
import { ordersOperations } from '#shared/orders/orders.operations.ts'
import { partnerOperations } from '#shared/partner/partner.operations.ts'
import { paymentsOperations } from '#shared/payments/payments.operations.ts'
import { reportsOperations } from '#shared/reports/reports.operations.ts'
import { sessionsOperations } from '#shared/sessions/sessions.operations.ts'

/** Every operation of the gateway's API; laws and documents read the contract from here. */
export const operations = {
  ...sessionsOperations,
  ...accountOperations,
  ...partnerOperations,
  ...checkoutOperations,
  ...paymentsOperations,
  ...ordersOperations,
  ...configOperations,
  ...reportsOperations,
} as const
