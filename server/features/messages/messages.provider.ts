/** In the order of a message's life. The last two are final. */
export type DeliveryStatus = 'queued' | 'sent' | 'delivered' | 'failed'

/**
 * Why a message was refused or not delivered. `phone`: the number cannot get SMS; `opted-out`: its owner refuses
 * them; `unreachable`: switched off, roaming, unknown; `account`: our credentials; `setup`: our sender, or a
 * country that our account may not send to; `filtered`: taken for spam; `busy`: too many requests.
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
  /** No usable answer. `isCertain`: certainly nothing was sent. */
  | { readonly outcome: 'unavailable'; readonly isCertain: boolean; readonly cause?: unknown }

/** Search for a message that may have been accepted although its answer was lost. */
export interface MessageSearch {
  readonly phone: string
  readonly body: string
  /**
   * True for another text that may be the searched one: after a restore it may have been written with other
   * facts.
   */
  readonly isSame?: ((text: string) => boolean) | undefined
  readonly since: number
  readonly except: string | null
}

export type CallbackReading =
  | { readonly outcome: 'report'; readonly report: DeliveryReport }
  | { readonly outcome: 'forged' | 'unreadable' }

/** The SMS service. A Saudi seller may need a national one: only this port's implementation knows Twilio. */
export interface MessageProvider {
  /** Sends once. Never throws for a fault of the provider. */
  send(message: OutgoingMessage): Promise<SendOutcome>
  /**
   * Looks up a message that may have been accepted.
   * @throws when the answer is not usable, because undefined means that the provider does not have it
   */
  find(search: MessageSearch): Promise<DeliveryReport | undefined>
  /**
   * The status of an accepted message; undefined when the provider does not know it.
   * @throws as `find`
   */
  read(ref: string): Promise<DeliveryReport | undefined>
  readCallback(
    url: string,
    fields: Readonly<Record<string, string>>,
    signature: string | undefined,
  ): CallbackReading
}
