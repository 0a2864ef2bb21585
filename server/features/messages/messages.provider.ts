/** The states of a message, in their order. `delivered` and `failed` are final. */
export type DeliveryStatus = 'queued' | 'sent' | 'delivered' | 'failed'

/**
 * `phone`: the number cannot get SMS. `opted-out`: its owner refuses them. `unreachable`: the phone is switched off or
 * roaming, or the cause is unknown. `account`: our credentials were refused. `setup`: our sender was refused, or our
 * account may not send to the country. `filtered`: the message was taken for spam. `busy`: there were too many
 * requests.
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
  /** `isCertain`: it is certain that no message was sent. */
  | { readonly outcome: 'unavailable'; readonly isCertain: boolean; readonly cause?: unknown }

/** Describes a message that the provider may have accepted although its answer was lost. */
export interface MessageSearch {
  readonly phone: string
  readonly body: string
  /** True for a text that may be the same message, written with other facts before the restore of a backup. */
  readonly isSame?: ((text: string) => boolean) | undefined
  readonly since: number
  readonly except: string | null
}

export type CallbackReading =
  | { readonly outcome: 'report'; readonly report: DeliveryReport }
  | { readonly outcome: 'forged' | 'unreadable' }

/** A Saudi seller may need a national SMS service, so only the implementation of this interface knows Twilio. */
export interface MessageProvider {
  /** Sends an SMS. Never throws when the provider fails. */
  send(message: OutgoingMessage): Promise<SendOutcome>
  /** @returns undefined when the provider does not have the message @throws when its answer cannot be read */
  find(search: MessageSearch): Promise<DeliveryReport | undefined>
  /** @returns undefined when the provider does not know the message @throws as `find` */
  read(ref: string): Promise<DeliveryReport | undefined>
  readCallback(
    url: string,
    fields: Readonly<Record<string, string>>,
    signature: string | undefined,
  ): CallbackReading
}
