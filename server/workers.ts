import { createAuditRetention } from '#server/features/audit/audit.worker.ts'
import { createMessageRetention, createMessageWorker } from '#server/features/messages/messages.worker.ts'
import {
  createKeyRetention,
  createLabelRetention,
  createOrderCounts,
  createScanRetention,
} from '#server/features/orders/orders.worker.ts'
import {
  createDetailsRetention,
  createExpiryWorker,
  createInquiryWorker,
  createRefundWorker,
  createStateCounts,
  createUnpaidRetention,
} from '#server/features/payments/payments.worker.ts'
import { createReceiptRetention, createReceiptWriter } from '#server/features/receipts/receipts.worker.ts'
import { createShareRetention } from '#server/features/shares/shares.worker.ts'
import { createShipmentWorker } from '#server/features/shipments/shipments.worker.ts'
import { createPollWorker, createTextsWorker } from '#server/features/tracking/tracking.worker.ts'
import { createBatchWorker } from '#server/platform/batches.ts'
import { receiptRetention, retentionDays } from '#shared/platform/retention.ts'
import type { ServiceParts, Services } from './services.ts'

const hourMs = 60 * 60_000
const daysMs = (days: number) => days * 24 * hourMs

export type Workers = ReturnType<typeof createWorkers>

/** The background workers of the gateway, by name. Nothing runs before `start`. */
export function createWorkers(parts: ServiceParts, services: Services) {
  const { config, clock, log, metrics } = parts
  const { stores, providers, sessions, push, messages, orders, payments, receipts, tracking } = services
  const paymentParts = {
    store: stores.payments,
    provider: providers.payment,
    orders,
    reconcile: payments.reconcile,
    applyReport: payments.applyReport,
    finishRefund: payments.finishRefund,
    clock,
    log,
  }
  const orderParts = { store: stores.orders, clock, log }
  const trackingParts = {
    store: stores.tracking,
    provider: providers.tracking,
    orders,
    record: tracking.record,
    intervalMs: config.TRACKING_POLL_INTERVAL,
    clock,
    log,
    metrics,
  }
  return {
    shipments: createShipmentWorker({
      orders,
      provider: providers.shipment,
      findUser: sessions.findUser,
      quietMs: config.limits.shipmentQuietMs,
      clock,
      log,
      metrics,
    }),
    tracking: createPollWorker(trackingParts),
    trackingTexts: createTextsWorker(trackingParts),
    inquiries: createInquiryWorker(paymentParts),
    refunds: createRefundWorker(paymentParts),
    expiry: createExpiryWorker(paymentParts),
    receiptWriter: createReceiptWriter({ receipts, log }),
    counts: createStateCounts({ ...paymentParts, metrics }),
    orderCounts: createOrderCounts({ ...orderParts, metrics }),
    messages: createMessageWorker({
      store: stores.messages,
      provider: providers.messages,
      messages,
      findRecipient: sessions.findRecipient,
      isEnabled: config.MESSAGES_ENABLED,
      isPushOffered: push.isOffered,
      quietMs: config.limits.messageQuietMs,
      dailyBudget: config.MESSAGES_DAILY_BUDGET,
      clock,
      log,
      metrics,
    }),
    ...createRetention(parts, services),
  }
}

/** The workers that delete what is kept no longer. `npm run ops -- prune` runs their batches at once. */
export function createRetention(
  { database, clock, log }: ServiceParts,
  { stores, sessions, messages, orders, receipts, shares, audit }: Services,
) {
  const paymentParts = { store: stores.payments, orders, clock, log }
  const orderParts = { store: stores.orders, clock, log }
  return {
    sessions: createBatchWorker({
      name: 'sessions.retention',
      batch: sessions.deleteExpired,
      roundMs: hourMs,
      log,
    }),
    oldMessages: createMessageRetention({ messages, keepMs: daysMs(retentionDays.messages), log }),
    keys: createKeyRetention({ ...orderParts, keepMs: daysMs(30) }),
    // A scan is about the bag of a label, so both are kept for the same time.
    scans: createScanRetention({ ...orderParts, keepMs: daysMs(retentionDays.labels) }),
    labels: createLabelRetention({ ...orderParts, keepMs: daysMs(retentionDays.labels) }),
    paymentDetails: createDetailsRetention({
      ...paymentParts,
      keepMs: daysMs(retentionDays.paymentDetails),
    }),
    unpaidOrders: createUnpaidRetention({
      ...paymentParts,
      database,
      keepMs: daysMs(retentionDays.unpaidOrders),
    }),
    // A link made with the airway bill ends with its file at the latest.
    shares: createShareRetention({ shares, keepMs: daysMs(retentionDays.labels), log }),
    receipts: createReceiptRetention({ receipts, keepMs: daysMs(receiptRetention.days), log }),
    audit: createAuditRetention({ audit, keepMs: daysMs(retentionDays.operatorActions), log }),
  }
}
