import { setTimeout as pause } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import { type AttemptRow, adoptProviderOrder, claimInquiry, listOpenedAttempts } from './attempts.queries.ts'
import { applyReport } from './outcomes.ts'
import { addFinding, endFindings, readCharged } from './payment-events.queries.ts'
import { attemptRules } from './payments.rules.ts'
import { sumReturned } from './refunds.queries.ts'

/**
 * Asks the provider about one attempt and applies its answer (docs/wires/payment.md R13).
 * @returns true when the provider reports a payment
 * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
 */
export async function reconcile(core: Core, attempt: AttemptRow, signal?: AbortSignal): Promise<boolean> {
  const { id, order_id: orderId, provider_order_id: providerOrderId, reference } = attempt
  const report = await core.providers.payments.inquire(
    providerOrderId === null ? { reference } : { providerOrderId },
    signal,
  )
  if (!report) return false
  const { kind } = report
  if (providerOrderId === null) await adoptProviderOrder(core, id, report.providerOrderId)
  const outcome = await applyReport(core, report, 'inquiry')
  const orderPaidHalalas = report.orderPaidHalalas ?? 0
  // The provider can count money as paid that was already returned.
  const returnedHalalas = await sumReturned(core, 'attempt_id', id)
  // The provider reports only its newest transaction, which can hide an earlier payment.
  const { charged, hasFinding, seen } = await readCharged(core, id)
  const hiddenHalalas = orderPaidHalalas - Math.max(charged, returnedHalalas)
  if (hiddenHalalas > 0) {
    if (hiddenHalalas > seen) await addFinding(core, id, hiddenHalalas, core.clock.now())
    core.counters.hiddenPayments.inc({ kind })
    core.log.error({ event: 'payments.hidden-payment', orderId, kind, outcome })
  } else if (hasFinding || seen > 0) await endFindings(core, id, core.clock.now())
  return kind === 'succeeded' || orderPaidHalalas > returnedHalalas
}

/** A failed inquiry at the provider is only logged. */
export async function refreshPayment(core: Core, orderId: number): Promise<void> {
  await Promise.race([
    inquireOpened(core, orderId),
    pause(attemptRules.pageWaitMs, undefined, { ref: false }),
  ])
}

async function inquireOpened(core: Core, orderId: number) {
  for (const attempt of await listOpenedAttempts(core, orderId)) {
    try {
      if (await claimInquiry(core, attempt.id)) await reconcile(core, attempt)
    } catch (error) {
      core.log.warn({ event: 'payments.inquiry-failed', orderId, err: error })
    }
  }
}
