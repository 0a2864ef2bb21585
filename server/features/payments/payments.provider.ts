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
  /** Null when the answer has no id. No payment depends on it. */
  readonly intentionId: string | null
  readonly providerOrderId: number
  readonly clientSecret: string
}

export interface PaymentProvider {
  /**
   * The call must not be repeated after an error, because each call creates another intention.
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  createIntention(request: IntentionRequest, signal?: AbortSignal): Promise<OpenedIntention>
  /**
   * Finds the newest payment, also when the newest transaction is its refund.
   * @returns undefined when the provider has no such transaction, which does not prove that a payment failed
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  inquire(
    intention: { providerOrderId: number } | { reference: string },
    signal?: AbortSignal,
  ): Promise<PaymentReport | undefined>
  readTransaction(transactionId: string): Promise<PaymentReport | undefined>
  /**
   * Only requests the refund: `readTransaction` or a callback shows later that the money was returned.
   * @throws UnreachableError, OutcomeUnknownError, ProviderRefusal
   */
  refund(transactionId: string, amountHalalas: number): Promise<void>
  readCallback(body: unknown, signature: string | undefined): CallbackReading
}

export type CallbackReading =
  | {
      readonly outcome: 'report'
      readonly secret: 'current' | 'previous'
      readonly report: PaymentReport
      /** The signature of the callback is also valid for these order numbers of the provider. */
      readonly otherOrderIds: readonly number[]
    }
  /** The callback is about a saved card. We save no cards. */
  | { readonly outcome: 'acknowledged'; readonly type: string }
  /** An unsigned callback proves nothing: the provider is asked about this intention. */
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
