import type { PushOutcome } from './push.rules.ts'

/** A browser's address and keys. */
export interface PushAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushMessage {
  /** Encrypted for the browser alone. */
  readonly text: string
  /** Replaces a message of the same topic that waits for the browser: at most 32 letters, digits, `-` and `_`. */
  readonly topic: string
  /** How long the service keeps it for a browser that is not connected. */
  readonly lifeMs: number
}

export interface PushProvider {
  /** Sends once, never repeated. Never throws for what the service does. */
  send(address: PushAddress, message: PushMessage): Promise<PushOutcome>
}
