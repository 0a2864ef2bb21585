/** The states follow each other in this order. The last two are final. */
export type DeliveryStatus = 'queued' | 'sent' | 'delivered' | 'failed'

/**
 * `phone`: the number cannot get SMS; `opted-out`: its owner refuses them; `unreachable`: switched off, roaming,
 * unknown; `account`: our credentials; `setup`: our sender, or a country that our account may not send to; `filtered`:
 * taken for spam; `busy`: too many requests.
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
  /** `isCertain`: no message was sent. */
  | { readonly outcome: 'unavailable'; readonly isCertain: boolean; readonly cause?: unknown }

/** The message may have been accepted although its answer was lost. */
export interface MessageSearch {
  readonly phone: string
  readonly body: string
  /** True for another text that may be the searched one, written with other facts before a restore. */
  readonly isSame?: ((text: string) => boolean) | undefined
  readonly since: number
  readonly except: string | null
}

export type CallbackReading =
  | { readonly outcome: 'report'; readonly report: DeliveryReport }
  | { readonly outcome: 'forged' | 'unreadable' }

/** A Saudi seller may need a national service: only this port's implementation knows Twilio. */
export interface MessageProvider {
  /** Never throws for a fault of the provider. */
  send(message: OutgoingMessage): Promise<SendOutcome>
  /** @throws when the answer is not usable, because undefined means that the provider does not have the message */
  find(search: MessageSearch): Promise<DeliveryReport | undefined>
  /** Undefined when the provider does not know the message. @throws as `find` */
  read(ref: string): Promise<DeliveryReport | undefined>
  readCallback(
    url: string,
    fields: Readonly<Record<string, string>>,
    signature: string | undefined,
  ): CallbackReading
}
