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
  /** Null when the answer has no id. No payment depends on the id. */
  readonly intentionId: string | null
  readonly providerOrderId: number
  readonly clientSecret: string
}

export interface PaymentProvider {
  /**
   * Creates an intention. It is not repeated after an error, because the provider creates another intention each time.
   * @param signal ends the call early, as a time-out does
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  createIntention(request: IntentionRequest, signal?: AbortSignal): Promise<OpenedIntention>
  /**
   * Finds the newest payment by the provider's order number or by our reference. When the newest transaction is a
   * refund, it returns the refunded payment.
   * @returns undefined when the provider has no such transaction, which does not mean that a payment failed
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  inquire(
    intention: { providerOrderId: number } | { reference: string },
    signal?: AbortSignal,
  ): Promise<PaymentReport | undefined>
  /** @returns undefined when the provider does not know the transaction. @throws as `inquire` */
  readTransaction(transactionId: string): Promise<PaymentReport | undefined>
  /**
   * Requests a refund. Only `readTransaction` or a callback shows later that the money was returned.
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  refund(transactionId: string, amountHalalas: number): Promise<void>
  /** Returns the report when `signature` proves it, otherwise why the callback is not accepted. */
  readCallback(body: unknown, signature: string | undefined): CallbackReading
}

export type CallbackReading =
  | {
      readonly outcome: 'report'
      /** The secret that has signed the callback: PAYMENT_HMAC_SECRET or PAYMENT_HMAC_SECRET_PREVIOUS. */
      readonly secret: 'current' | 'previous'
      readonly report: PaymentReport
      /** The order numbers of the provider for which the same signature would be valid, too. */
      readonly otherOrderIds: readonly number[]
    }
  /** The callback is about a saved card, which we do not use. */
  | { readonly outcome: 'acknowledged'; readonly type: string }
  /** The callback is not signed: it is only a reason to ask the provider about this intention. */
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
