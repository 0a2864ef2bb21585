import type { Core } from '#server/core.ts'
import type { RefundSummary } from '#server/features/orders/orders.service.ts'
import { daysMs } from '#server/platform/batches.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import type { PaymentsDeps } from './outcomes.service.ts'
import { attemptRules } from './payments.rules.ts'
import { createPayments, type PaymentsService, summarizeRefunds } from './payments.service.ts'
import { createPaymentsStore } from './payments.store.ts'
import { paymentsWebhook } from './payments.webhook.ts'
import {
  createDetailsRetention,
  createExpiryWorker,
  createInquiryWorker,
  createRefundWorker,
  createUnpaidRetention,
  createWordsRetention,
  type PaymentsWorkersDeps,
} from './payments.worker.ts'

/** What the refunds of orders mean to a reader of the order. */
export function registerRefunds({ database, clock }: Core) {
  const store = createPaymentsStore(database)
  return {
    async findRefunds(orderIds: readonly number[]): Promise<ReadonlyMap<number, RefundSummary>> {
      return summarizeRefunds(await store.listRefunds(orderIds), clock.now())
    },
  }
}

/** Payments and refunds. */
export function registerPayments(
  core: Core,
  needed: Pick<PaymentsDeps, 'users' | 'orders' | 'receipts'>,
): PaymentsService {
  const { config, database, wake } = core
  const parts = {
    ...core,
    store: createPaymentsStore(database),
    provider: core.providers.payments,
    ...needed,
  }
  const payments = createPayments({
    ...parts,
    onPaid: () => wake('shipments'),
    onInquiryDue: () => wake('inquiries'),
    publicKey: config.PAYMENT_PUBLIC_KEY,
    openingTime: () => AbortSignal.timeout(attemptRules.openingMs),
  })
  core.routes.push((app, scope) => paymentsWebhook(app, scope, payments))
  registerWork(core, { ...parts, ...payments })
  return payments
}

function registerWork({ workers, retention }: Core, parts: PaymentsWorkersDeps): void {
  workers.set('inquiries', createInquiryWorker(parts))
  workers.set('refunds', createRefundWorker(parts))
  workers.set('expiry', createExpiryWorker(parts))
  retention.push(
    createDetailsRetention({ ...parts, keepMs: daysMs(retentionDays.paymentDetails) }),
    createWordsRetention({ ...parts, keepMs: daysMs(retentionDays.paymentDetails) }),
    createUnpaidRetention({ ...parts, keepMs: daysMs(retentionDays.unpaidOrders) }),
  )
}
