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
  /** `null` when the answer has no id. No payment depends on it. */
  readonly intentionId: string | null
  readonly providerOrderId: number
  readonly clientSecret: string
}

export interface PaymentProvider {
  /**
   * There are no retries, because the provider creates another intention each time.
   * @param signal ends the call early, as a time-out does
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  createIntention(request: IntentionRequest, signal?: AbortSignal): Promise<OpenedIntention>
  /**
   * The newest payment by the provider's order number or by our reference; undefined never means "failed". When the
   * newest transaction is a refund: the refunded payment.
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  inquire(
    intention: { providerOrderId: number } | { reference: string },
    signal?: AbortSignal,
  ): Promise<PaymentReport | undefined>
  /** Undefined when the provider does not know the transaction. @throws as `inquire` */
  readTransaction(transactionId: string): Promise<PaymentReport | undefined>
  /**
   * Resolving does not mean that the money was returned: only `readTransaction` or a callback shows it. @throws
   * UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  refund(transactionId: string, amountHalalas: number): Promise<void>
  /** The report when `signature` proves it, else why it is not accepted. */
  readCallback(body: unknown, signature: string | undefined): CallbackReading
}

export type CallbackReading =
  | {
      readonly outcome: 'report'
      /** The secret is PAYMENT_HMAC_SECRET or PAYMENT_HMAC_SECRET_PREVIOUS. */
      readonly secret: 'current' | 'previous'
      readonly report: PaymentReport
      /** The same signature would cover these order numbers of the provider. */
      readonly otherOrderIds: readonly number[]
    }
  /** A saved card, which is not used. */
  | { readonly outcome: 'acknowledged'; readonly type: string }
  /** A hint is not signed: it is only a reason to ask the provider about this intention. */
  | { readonly outcome: 'hint'; readonly type: string; readonly intentionId: string | undefined }
  | { readonly outcome: 'forged' }
  | { readonly outcome: 'unreadable' }

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
