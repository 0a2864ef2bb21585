import { createKeyRetention, createLabelRetention } from '#server/features/orders/orders.worker.ts'
import {
  createDetailsRetention,
  createExpiryWorker,
  createInquiryWorker,
  createRefundWorker,
  createStateCounts,
  createUnpaidRetention,
} from '#server/features/payments/payments.worker.ts'
import { createShipmentWorker } from '#server/features/shipments/shipments.worker.ts'
import { createBatchWorker } from '#server/platform/batches.ts'
import type { ServiceParts, Services } from './services.ts'

const hourMs = 60 * 60_000
const daysMs = (days: number) => days * 24 * hourMs

export type Workers = ReturnType<typeof createWorkers>

/** The background workers of the gateway, by name. Nothing runs before `start`. */
export function createWorkers({ config, database, clock, log, metrics }: ServiceParts, services: Services) {
  const { stores, providers, sessions, orders, payments } = services
  const paymentParts = {
    store: stores.payments,
    provider: providers.payment,
    orders,
    reconcile: payments.reconcile,
    applyReport: payments.applyReport,
    clock,
    log,
  }
  const orderParts = { store: stores.orders, clock, log }
  return {
    shipments: createShipmentWorker({
      orders,
      provider: providers.shipment,
      findUser: sessions.findUser,
      quietMs: config.SHIPMENT_QUIET_MS,
      clock,
      log,
      metrics,
    }),
    inquiries: createInquiryWorker(paymentParts),
    refunds: createRefundWorker(paymentParts),
    expiry: createExpiryWorker(paymentParts),
    counts: createStateCounts({ ...paymentParts, metrics }),
    sessions: createBatchWorker({
      name: 'sessions.retention',
      batch: sessions.deleteExpired,
      roundMs: hourMs,
      log,
    }),
    keys: createKeyRetention({ ...orderParts, keepMs: daysMs(config.KEEP_IDEMPOTENCY_KEYS_DAYS) }),
    labels: createLabelRetention({ ...orderParts, keepMs: daysMs(config.KEEP_LABELS_DAYS) }),
    paymentDetails: createDetailsRetention({
      ...paymentParts,
      keepMs: daysMs(config.KEEP_PAYMENT_DETAILS_DAYS),
    }),
    unpaidOrders: createUnpaidRetention({
      ...paymentParts,
      database,
      keepMs: daysMs(config.KEEP_UNPAID_ORDERS_DAYS),
    }),
  }
}
