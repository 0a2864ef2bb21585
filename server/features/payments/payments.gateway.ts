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
  readonly intentionId: string
  readonly providerOrderId: number
  readonly clientSecret: string
}

/** The payment provider, as this room needs it. */
export interface PaymentGateway {
  /**
   * Makes an intention; never repeated here, because the provider makes a second one each time.
   * @throws Unreachable (doubtful or not), ProviderRefusal when it answered no.
   */
  createIntention(request: IntentionRequest): Promise<OpenedIntention>
  /**
   * The newest payment of an intention, by the provider's order number or by our reference; undefined when there is
   * none yet, which never means "failed". Where the newest transaction is a refund, the refunded payment is answered.
   * @throws Unreachable, ProviderRefusal.
   */
  inquire(intention: { providerOrderId: number } | { reference: string }): Promise<PaymentReport | undefined>
  /** One transaction as it is now; undefined when the provider does not know it. @throws as `inquire`. */
  readTransaction(transactionId: string): Promise<PaymentReport | undefined>
  /**
   * Asks for the whole amount of a transaction back. That it resolves does not mean that the money went back: only
   * `readTransaction` or a callback says so. @throws Unreachable (doubtful or not), ProviderRefusal.
   */
  refund(transactionId: string, amountHalalas: number): Promise<void>
  /** The report inside a callback's body when `signature` proves it, else why it is not taken. */
  readCallback(body: unknown, signature: string | undefined): CallbackReading
}

export type CallbackReading =
  | { readonly outcome: 'report'; readonly report: PaymentReport }
  /** Well-meant and not ours to act on: saved cards, older shapes. Acknowledged, so that it is not sent again. */
  | { readonly outcome: 'acknowledged'; readonly type: string }
  | { readonly outcome: 'forged' }
  | { readonly outcome: 'unreadable' }

/** A definite no of the provider. The status tells whose fault it is; the body is for the log. */
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
