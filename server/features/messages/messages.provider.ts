export type DeliveryStatus = 'queued' | 'sent' | 'delivered' | 'failed'

/**
 * `unreachable`: the phone is off or roaming, or the cause is unknown. `account`: our credentials were refused.
 * `setup`: our sender or the country was refused. `filtered`: the provider took the message for spam.
 */
export type FaultReason =
  | 'phone'
  | 'opted-out'
  | 'unreachable'
  | 'account'
  | 'setup'
  | 'filtered'
  | 'busy'
  | 'other'

export interface Fault {
  readonly reason: FaultReason
  readonly code: number | null
}

export interface DeliveryReport {
  readonly ref: string
  readonly status: DeliveryStatus
  readonly fault?: Fault
}

export interface OutgoingMessage {
  readonly phone: string
  readonly body: string
  readonly statusUrl: string
}

export type SendOutcome =
  | { readonly outcome: 'accepted'; readonly report: DeliveryReport }
  | { readonly outcome: 'refused'; readonly fault: Fault }
  /** `isCertain` is true when certainly no message was sent. */
  | { readonly outcome: 'unavailable'; readonly isCertain: boolean; readonly cause?: unknown }

/** The provider has possibly accepted this message although its answer was lost. */
export interface MessageSearch {
  readonly phone: string
  readonly body: string
  /** True when `text` is possibly the same message, written before a backup was restored. */
  readonly isSame?: ((text: string) => boolean) | undefined
  readonly since: number
  readonly except: string | null
}

export type CallbackReading =
  | { readonly outcome: 'report'; readonly report: DeliveryReport }
  | { readonly outcome: 'forged' | 'unreadable' }

/** Only the implementation knows Twilio, because a Saudi seller possibly needs a national SMS service. */
export interface MessageProvider {
  /** A failure of the provider throws no error. */
  send(message: OutgoingMessage): Promise<SendOutcome>
  /** @returns undefined when the provider does not have the message @throws when its answer cannot be read */
  find(search: MessageSearch): Promise<DeliveryReport | undefined>
  read(ref: string): Promise<DeliveryReport | undefined>
  readCallback(
    url: string,
    fields: Readonly<Record<string, string>>,
    signature: string | undefined,
  ): CallbackReading
}
