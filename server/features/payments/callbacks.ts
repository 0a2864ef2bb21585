import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import {
  findAttemptByAnyProviderOrder,
  findAttemptByIntention,
  findAttemptByProviderOrder,
  scheduleInquiryNow,
} from './attempts.queries.ts'
import { applyReport } from './outcomes.ts'
import { listPaymentEvents } from './payment-events.queries.ts'
import type { CallbackReading } from './payments.provider.ts'

type Reading<Outcome extends CallbackReading['outcome']> = Extract<CallbackReading, { outcome: Outcome }>

/** docs/wires/payment.md P18 */
const signatureForm = /^[\da-f]{128}$/

export function checkSignatureForm({ counters }: Core, query: unknown): void {
  const { hmac } = query as { readonly hmac?: unknown }
  if (typeof hmac === 'string' && signatureForm.test(hmac)) return
  counters.paymentCallbacks.inc({ outcome: 'forged' })
  throw failure(paymentsErrors, 'CALLBACK_REFUSED')
}

/**
 * Resolves only after the callback's report is stored.
 * @throws Failure CALLBACK_REFUSED for a wrong signature or an unreadable body; another error when storing failed
 */
export async function receiveCallback(
  core: Core,
  body: unknown,
  signature: string | undefined,
): Promise<void> {
  const { callbacksUnderWay, clock, counters, log } = core
  const reading = core.providers.payments.readCallback(body, signature)
  if (reading.outcome === 'report') {
    const own = { at: clock.now() }
    callbacksUnderWay.add(own)
    try {
      return await receiveReport(core, reading)
    } finally {
      callbacksUnderWay.delete(own)
    }
  }
  counters.paymentCallbacks.inc({ outcome: reading.outcome })
  if (reading.outcome === 'acknowledged') {
    log.info({ event: 'payments.callback-acknowledged', type: reading.type })
    return
  }
  if (reading.outcome === 'hint') return receiveHint(core, reading)
  log.warn({ event: 'payments.callback-refused', outcome: reading.outcome })
  throw failure(paymentsErrors, 'CALLBACK_REFUSED')
}

async function receiveReport(core: Core, { report, otherOrderIds, secret }: Reading<'report'>) {
  const { counters, log } = core
  const { transactionId } = report
  counters.paymentCallbacksSigned.inc({ secret })
  if (secret === 'previous') log.info({ event: 'payments.callback-previous-secret', transactionId })
  const other = await findAttemptByAnyProviderOrder(core, otherOrderIds)
  if (!other) {
    counters.paymentCallbacks.inc({ outcome: await applyReport(core, report, 'callback') })
    return
  }
  const own = await findAttemptByProviderOrder(core, report.providerOrderId)
  const candidates = own ? [own, other] : [other]
  const isKnown = (await listPaymentEvents(core, transactionId)).some(
    ({ kind, outcome, attempt_id }) =>
      kind === report.kind && outcome === 'applied' && candidates.some(({ id }) => id === attempt_id),
  )
  counters.paymentCallbacks.inc({ outcome: isKnown ? 'repeated' : 'ambiguous' })
  if (isKnown) return
  // The same signature is valid for two orders, and only the provider knows which one was paid. A payer can repeat the
  // callback, so it causes at most one inquiry per `inquiryGapMs`.
  let isScheduled = false
  for (const { id } of candidates) if (await scheduleInquiryNow(core, id)) isScheduled = true
  log[isScheduled ? 'error' : 'info']({ event: 'payments.callback-ambiguous', transactionId })
  if (isScheduled) core.wake('inquiries')
}

async function receiveHint(core: Core, { type, intentionId }: Reading<'hint'>) {
  const attempt = intentionId === undefined ? undefined : await findAttemptByIntention(core, intentionId)
  core.log.info({ event: 'payments.callback-hint', type, orderId: attempt?.order_id })
  if (attempt && (await scheduleInquiryNow(core, attempt.id))) core.wake('inquiries')
}
