import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logging.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import { type PaymentGateway, ProviderRefusal } from './payments.gateway.ts'
import {
  abandonedAfterMs,
  finalStep,
  inquiryDueAt,
  isPartialRefund,
  nextInquiryStep,
  refundDelayMs,
  refundRules,
} from './payments.rules.ts'
import type { PaymentsService } from './payments.service.ts'
import type { AttemptRow, PaymentsStore, RefundRow } from './payments.store.ts'

export interface PaymentsWorkersDeps {
  readonly store: PaymentsStore
  readonly gateway: PaymentGateway
  readonly orders: OrdersService
  readonly reconcile: PaymentsService['reconcile']
  readonly clock: Clock
  readonly log: Log
}

const parallel = 4
const roundMs = 2_000
/** A claimed attempt that was not answered, because the provider or this process was down, comes back after this. */
const hiddenMs = 60_000

/** The sweep (R14): asks about every attempt on its schedule, and lets unpaid orders expire. */
export function createInquiryWorker(deps: PaymentsWorkersDeps): Worker {
  const { store, orders, clock, log } = deps

  async function ask({ attempt, hiddenUntil }: { attempt: AttemptRow; hiddenUntil: number }): Promise<void> {
    // Refused by the provider, so nothing can have been paid on it; its order still has to expire.
    const isPaid = attempt.state === 'failed' ? false : await deps.reconcile(attempt)
    const { order_id: orderId, inquiry_step: step } = attempt
    if (step >= finalStep && !isPaid && !(await store.hasLaterAttempt(orderId, attempt.id))) {
      await store.moveAttempt(attempt.id, ['creating', 'open', 'unknown'], 'superseded')
      if (await orders.markExpired(orderId)) log.info({ event: 'payments.order-expired', orderId })
    }
    const next = nextInquiryStep(attempt.created_at, step, clock.now())
    const dueAt = inquiryDueAt(attempt.created_at, next)
    await store.planInquiry(attempt.id, hiddenUntil, next, dueAt)
    if (dueAt === null) await orders.expireOlderThan(abandonedAfterMs)
  }

  return createWorker({
    name: 'payments.sweep',
    claim: async () => {
      const hiddenUntil = clock.now() + hiddenMs
      const attempt = await store.claimDueInquiry(clock.now(), hiddenUntil)
      return attempt && { attempt, hiddenUntil }
    },
    carryOut: async (job) => {
      try {
        await ask(job)
      } catch (error) {
        log.warn({ event: 'payments.sweep-failed', orderId: job.attempt.order_id, err: error })
      }
    },
    parallel,
    roundMs,
    log,
  })
}

/** Gives second payments back (R18, R19): looks before it asks, asks once, and believes only what it then sees. */
export function createRefundWorker({ store, gateway, clock, log }: PaymentsWorkersDeps): Worker {
  async function giveBack(refund: RefundRow): Promise<void> {
    const { id, transaction_id: transactionId, amount_halalas: amountHalalas } = refund
    const seen = await gateway.readTransaction(transactionId)
    // Somebody may have given back a part by hand: then the rest is what is owed.
    const partHalalas = seen && isPartialRefund(seen) ? (seen.refundedHalalas ?? 0) : 0
    if (seen?.kind === 'voided' || (seen?.kind === 'refunded' && partHalalas === 0)) {
      await store.finishRefund(transactionId, clock.now())
      log.info({ event: 'payments.refunded', transactionId, amountHalalas })
      return
    }
    if (refund.state === 'asked') {
      await store.planRefund(id, 'asked', clock.now() + refundDelayMs(refund.tries))
      return
    }
    // Written before asking: a process that dies while it asks leaves a doubt, and a doubt is looked at first.
    await store.planRefund(id, 'doubtful', clock.now() + refundRules.leaseMs)
    await gateway.refund(transactionId, amountHalalas - partHalalas)
    await store.planRefund(id, 'asked', clock.now() + refundRules.lookAfterMs)
  }

  async function putOff(refund: RefundRow, error: unknown): Promise<void> {
    log.error({
      event: 'payments.refund-failed',
      transactionId: refund.transaction_id,
      tries: refund.tries,
      err: error,
    })
    // While it is in doubt, the lease written before asking decides when to look.
    const isDoubtful =
      (error instanceof Unreachable && error.doubtful) ||
      (error instanceof ProviderRefusal && error.status >= 500)
    if (isDoubtful && refund.state !== 'asked') return
    const state = refund.state === 'asked' ? 'asked' : 'due'
    await store.planRefund(refund.id, state, clock.now() + refundDelayMs(refund.tries))
  }

  return createWorker<RefundRow>({
    name: 'payments.refunds',
    claim: () => store.claimDueRefund(clock.now(), clock.now() + refundRules.leaseMs),
    carryOut: (refund) => giveBack(refund).catch((error: unknown) => putOff(refund, error)),
    parallel,
    roundMs,
    log,
  })
}
