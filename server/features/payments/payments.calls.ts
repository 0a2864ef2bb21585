export { erasePaymentsOfOrders, lockAttempts, scheduleInquiryNow } from './attempts.queries.ts'
export { cancelOrder, cancelWithin } from './cancellations.ts'
export { refreshPayment } from './inquiries.ts'
export { beginPayment, openPayment, renewPayment, repeatPayment } from './intentions.ts'
export { hasUnsettledPayments, listPaymentsOfOrders } from './payments.queries.ts'
export { exportPayments, findOrderOfPayment, findRefundSummaries, readReturnedAmount } from './payments.ts'
export {
  listRefunds,
  listRefundsOfTransaction,
  mayWriteOffRefund,
  refundPayment,
  scheduleRefundNow,
  writeOffRefund,
} from './refunds.queries.ts'
