import type { Core } from '#server/core.ts'
import type { HasDatabase } from '#server/features/receipts/receipts.queries.ts'
import { bindTo } from '#server/legacy.ts'
import { lockAttempts, scheduleInquiryNow } from './attempts.queries.ts'
import { listPaymentsOfOrders } from './payments.queries.ts'
import {
  listRefunds,
  listRefundsOfTransaction,
  mayWriteOffRefund,
  refundPayment,
  scheduleRefundNow,
  writeOffRefund,
} from './refunds.queries.ts'

export type PaymentActs = ReturnType<typeof paymentActs>

/** Payments as a service of desk-actions. Gone when desk-actions are functions. */
export const paymentActs = (core: HasDatabase) =>
  bindTo(core as Core, {
    lockAttempts,
    listOfOrders: listPaymentsOfOrders,
    listRefunds,
    listRefundsOf: listRefundsOfTransaction,
    refundPayment,
    hastenRefund: scheduleRefundNow,
    hastenInquiry: scheduleInquiryNow,
    mayWriteOff: mayWriteOffRefund,
    writeOffRefund,
  })
