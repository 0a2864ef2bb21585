import type { PaymentReport } from './payments.rules.ts'

export interface IntentionRequest {
  readonly reference: string
  readonly orderId: number
  readonly amountHalalas: number
  readonly currency: string
  readonly lifeSeconds: number
  readonly customer: { readonly name: string; readonly phone: string }
}

export interface OpenedIntention {
  /** `null` when the provider's answer has no id. No payment depends on it. */
  readonly intentionId: string | null
  readonly providerOrderId: number
  readonly clientSecret: string
}

/** The payment provider, as payments need it. */
export interface PaymentProvider {
  /**
   * Creates an intention; without retries, because the provider creates another one each time.
   * @param signal ends the call early, as a time-out does
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal.
   */
  createIntention(request: IntentionRequest, signal?: AbortSignal): Promise<OpenedIntention>
  /**
   * The newest payment of an intention, by the provider's order number or by our reference; undefined when there is
   * none yet, which never means "failed". Where the newest transaction is a refund, the refunded payment.
   * @param signal as of `createIntention`
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal.
   */
  inquire(
    intention: { providerOrderId: number } | { reference: string },
    signal?: AbortSignal,
  ): Promise<PaymentReport | undefined>
  /** One transaction as it is now; undefined when the provider does not know it. @throws as `inquire`. */
  readTransaction(transactionId: string): Promise<PaymentReport | undefined>
  /**
   * Requests the refund of a transaction, or of the rest of it. Resolving does not mean that the money was returned: only
   * `readTransaction` or a callback tells. @throws UnreachableError, OutcomeUnknownError, ProviderRefusal.
   */
  refund(transactionId: string, amountHalalas: number): Promise<void>
  /** The report in a callback's body when `signature` proves it, else why it is not accepted. */
  readCallback(body: unknown, signature: string | undefined): CallbackReading
}

export type CallbackReading =
  | {
      readonly outcome: 'report'
      /** The secret that proves it: PAYMENT_HMAC_SECRET or PAYMENT_HMAC_SECRET_PREVIOUS. */
      readonly secret: 'current' | 'previous'
      readonly report: PaymentReport
      /** Provider's order numbers that the same signature would cover, see `otherOrderIds`. */
      readonly otherOrderIds: readonly number[]
    }
  /** A saved card, which is not used. Acknowledged, so that it is not sent again. */
  | { readonly outcome: 'acknowledged'; readonly type: string }
  /** Without a signature that is verified here: only a reason to ask the provider about this intention. */
  | { readonly outcome: 'hint'; readonly type: string; readonly intentionId: string | undefined }
  | { readonly outcome: 'forged' }
  | { readonly outcome: 'unreadable' }

/** A definite refusal by the provider. The body is for the log. */
export class ProviderRefusal extends Error {
  readonly status: number
  readonly body: unknown
  constructor(what: string, status: number, body: unknown) {
    super(`the payment provider answered ${status} to ${what}`)
    this.name = 'ProviderRefusal'
    this.status = status
    this.body = body
  }
}
