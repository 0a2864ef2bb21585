import { setTimeout as pause } from 'node:timers/promises'
import { eventKinds } from '#shared/payments/payments.schemas.ts'
import type { AttemptRow } from './attempts.store.ts'
import type { Outcomes, PaymentsDeps } from './outcomes.service.ts'
import { attemptRules } from './payments.rules.ts'

export type Inquiries = ReturnType<typeof createInquiries>

/** Asks the provider about attempts and applies its answers, because callbacks may be late or lost (docs/wires/payment.md R13). */
export function createInquiries({ store, provider, log, metrics, clock }: PaymentsDeps, { apply }: Outcomes) {
  const hiddenPayments = metrics.counter(
    'amtiati_payment_hidden_payments_total',
    'Answers of the provider that count more money on an order than the payments it has reported.',
    ['kind'],
    eventKinds.map((kind) => ({ kind })),
  )

  /**
   * Asks the provider about one attempt and applies the answer; true when the provider reports a payment on it.
   * @param signal ends the inquiry early
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal.
   */
  async function reconcile(attempt: AttemptRow, signal?: AbortSignal): Promise<boolean> {
    const report = await provider.inquire(
      attempt.provider_order_id === null
        ? { reference: attempt.reference }
        : { providerOrderId: attempt.provider_order_id },
      signal,
    )
    if (!report) return false
    if (attempt.provider_order_id === null) await store.adoptProviderOrder(attempt.id, report.providerOrderId)
    const outcome = await apply(report, 'inquiry')
    const orderPaidHalalas = report.orderPaidHalalas ?? 0
    // The provider may still count as paid what our own refunds have returned.
    const returnedHalalas = await store.sumReturned('attempt_id', attempt.id)
    // Only the newest transaction is reported: it may hide an earlier payment, also a second one of a paid order.
    const { charged, hasFinding, seen } = await store.readCharged(attempt.id)
    const hiddenHalalas = orderPaidHalalas - Math.max(charged, returnedHalalas)
    if (hiddenHalalas > 0) {
      if (hiddenHalalas > seen) await store.addFinding(attempt.id, hiddenHalalas, clock.now())
      hiddenPayments.inc({ kind: report.kind })
      log.error({ event: 'payments.hidden-payment', orderId: attempt.order_id, kind: report.kind, outcome })
    } else if (hasFinding || seen > 0) await store.endFindings(attempt.id, clock.now())
    return report.kind === 'succeeded' || orderPaidHalalas > returnedHalalas
  }

  async function inquireOpened(orderId: number): Promise<void> {
    for (const attempt of await store.listOpened(orderId)) {
      try {
        if (!(await store.claimInquiry(attempt.id, attemptRules.inquiryGapMs))) continue
        await reconcile(attempt)
      } catch (error) {
        // The order is returned as stored; the next request asks the provider again.
        log.warn({ event: 'payments.inquiry-failed', orderId, err: error })
      }
    }
  }

  return {
    reconcile,

    /**
     * Asks the provider about the attempts of an order; resolves after the answers or `attemptRules.pageWaitMs`,
     * whichever is first. A failed inquiry is logged.
     */
    async refresh(orderId: number): Promise<void> {
      await Promise.race([inquireOpened(orderId), pause(attemptRules.pageWaitMs, undefined, { ref: false })])
    },
  }
}
