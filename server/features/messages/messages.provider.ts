/** How far a message is, in the order of its life. The last two are final. */
export type DeliveryStatus = 'queued' | 'sent' | 'delivered' | 'failed'

/**
 * Why a message was refused or not delivered:
 * `phone`: the number cannot get SMS; `opted-out`: its owner does not want any; `unreachable`: switched off, roaming,
 * unknown; `account`: our credentials; `setup`: our sender, or a country that our account may not send to; `filtered`:
 * taken for spam; `busy`: too many requests; `other`: anything else.
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

/** The provider's number of an error, for logs and operators; null where it gave none. */
export interface Fault {
  readonly reason: FaultReason
  readonly code: number | null
}

/** A report of the provider about a message that it has accepted. */
export interface DeliveryReport {
  /** The provider's id of the message. */
  readonly ref: string
  readonly status: DeliveryStatus
  /** Present when the message failed. */
  readonly fault?: Fault
}

export interface OutgoingMessage {
  /** E.164. */
  readonly phone: string
  readonly body: string
  /** The address at which the provider reports the status of the message. */
  readonly statusUrl: string
}

export type SendOutcome =
  | { readonly outcome: 'accepted'; readonly report: DeliveryReport }
  | { readonly outcome: 'refused'; readonly fault: Fault }
  /** No usable answer. `isCertain`: certainly nothing was sent. */
  | { readonly outcome: 'unavailable'; readonly isCertain: boolean; readonly cause?: unknown }

/** Search for a message that may have been accepted, although its answer was lost. */
export interface MessageSearch {
  readonly phone: string
  readonly body: string
  /** True for another text that may be the one that is meant: after a restore it was perhaps written of other facts. */
  readonly isSame?: ((text: string) => boolean) | undefined
  /** Epoch milliseconds: older messages are not meant. */
  readonly since: number
  /** The id of an earlier message with the same text, which is not meant either. */
  readonly except: string | null
}

/** A status callback: the report, or why it is refused. */
export type CallbackReading =
  | { readonly outcome: 'report'; readonly report: DeliveryReport }
  | { readonly outcome: 'forged' | 'unreadable' }

/** The SMS service. A Saudi seller may need a national one: everything about Twilio is behind this port. */
export interface MessageProvider {
  /** Sends once, never repeated. Never throws for what the provider does. */
  send(message: OutgoingMessage): Promise<SendOutcome>
  /**
   * A message that was accepted although its answer was lost. @throws when the answer is not usable: undefined is a
   * statement about the provider, not about the line to it.
   */
  find(search: MessageSearch): Promise<DeliveryReport | undefined>
  /** What became of an accepted message; undefined when the provider does not know it. @throws as `find`. */
  read(ref: string): Promise<DeliveryReport | undefined>
  /** @param url the address the provider called, as it knows it, with the query. */
  readCallback(
    url: string,
    fields: Readonly<Record<string, string>>,
    signature: string | undefined,
  ): CallbackReading
}
