import { failure } from '#server/platform/errors.ts'
import { paymentsErrors } from '#shared/payments/payments.errors.ts'
import type { AttemptRow } from './attempts.store.ts'
import type { Outcomes, PaymentsDeps } from './outcomes.service.ts'
import type { CallbackReading } from './payments.provider.ts'
import { attemptRules } from './payments.rules.ts'

type Reading<Outcome extends CallbackReading['outcome']> = Extract<CallbackReading, { outcome: Outcome }>

/** Outcomes of a callback that an operator looks into (docs/runbook.md). */
const outcomesForOperators = ['reference-mismatch', 'unknown-order', 'ambiguous', 'forged', 'unreadable']

/** HMAC-SHA512 in hexadecimal (docs/wires/payment.md P18). */
const signatureForm = /^[\da-f]{128}$/

/** Takes the provider's callbacks. */
export function createCallbacks(
  { store, provider, onInquiryDue, clock, log, metrics }: PaymentsDeps,
  { apply }: Outcomes,
) {
  /** When those began that are being applied. A callback waits in no queue: it is answered once it is stored. */
  const begun = new Set<{ readonly at: number }>()
  metrics.queue('callbacks', clock, async () => ({
    count: begun.size,
    oldest: [...begun][0]?.at ?? null,
  }))
  const callbacks = metrics.counter(
    'amtiati_payment_callbacks_total',
    'Callbacks by outcome.',
    ['outcome'],
    outcomesForOperators.map((outcome) => ({ outcome })),
  )
  const signed = metrics.counter(
    'amtiati_payment_callbacks_signed_total',
    'Accepted callbacks, by the secret that proves them: current or previous.',
    ['secret'],
  )

  /** A callback can be repeated without limit: like polling, it causes at most one inquiry per `inquiryGapMs`. */
  const hastenInquiry = ({ id }: AttemptRow) => store.hastenInquiry(id, attemptRules.inquiryGapMs)

  async function applied<T>(work: () => Promise<T>): Promise<T> {
    const own = { at: clock.now() }
    begun.add(own)
    try {
      return await work()
    } finally {
      begun.delete(own)
    }
  }

  async function takeReport({ report, otherOrderIds, secret }: Reading<'report'>): Promise<void> {
    signed.inc({ secret })
    if (secret === 'previous')
      log.info({ event: 'payments.callback-previous-secret', transactionId: report.transactionId })
    const other = await store.findByAnyProviderOrder(otherOrderIds)
    if (!other) {
      callbacks.inc({ outcome: await apply(report, 'callback') })
      return
    }
    const own = await store.findByProviderOrder(report.providerOrderId)
    const candidates = own ? [own, other] : [other]
    const isKnown = (await store.listEvents(report.transactionId)).some(
      ({ kind, outcome, attempt_id }) =>
        kind === report.kind && outcome === 'applied' && candidates.some(({ id }) => id === attempt_id),
    )
    callbacks.inc({ outcome: isKnown ? 'repeated' : 'ambiguous' })
    if (isKnown) return
    // Only the provider can tell which of the two orders the signature is for.
    let isHastened = false
    for (const attempt of candidates) if (await hastenInquiry(attempt)) isHastened = true
    const line = { event: 'payments.callback-ambiguous', transactionId: report.transactionId }
    if (!isHastened) return log.info(line)
    log.error(line)
    onInquiryDue()
  }

  async function takeHint({ type, intentionId }: Reading<'hint'>): Promise<void> {
    const attempt = intentionId === undefined ? undefined : await store.findByIntention(intentionId)
    log.info({ event: 'payments.callback-hint', type, orderId: attempt?.order_id })
    if (attempt && (await hastenInquiry(attempt))) onInquiryDue()
  }

  return {
    /**
     * Refuses a callback whose query has no signature, before its body is read.
     * @throws Failure CALLBACK_REFUSED
     */
    checkSignatureForm(query: unknown): void {
      const { hmac } = query as { readonly hmac?: unknown }
      if (typeof hmac === 'string' && signatureForm.test(hmac)) return
      callbacks.inc({ outcome: 'forged' })
      throw failure(paymentsErrors, 'CALLBACK_REFUSED')
    },

    /**
     * Resolves once the report of the callback is stored, or needs no storing.
     * @throws Failure CALLBACK_REFUSED for a wrong signature or an unreadable body; another error when it could not be
     * stored.
     */
    async receive(body: unknown, signature: string | undefined): Promise<void> {
      const reading = provider.readCallback(body, signature)
      if (reading.outcome === 'report') return applied(() => takeReport(reading))
      callbacks.inc({ outcome: reading.outcome })
      if (reading.outcome === 'acknowledged') {
        log.info({ event: 'payments.callback-acknowledged', type: reading.type })
        return
      }
      if (reading.outcome === 'hint') return takeHint(reading)
      log.warn({ event: 'payments.callback-refused', outcome: reading.outcome })
      throw failure(paymentsErrors, 'CALLBACK_REFUSED')
    },
  }
}
