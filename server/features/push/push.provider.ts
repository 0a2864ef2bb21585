import type { PushOutcome } from './push.rules.ts'

export interface PushAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushMessage {
  readonly text: string
  /** The message replaces a waiting one with the same topic: at most 32 letters, digits, `-` and `_`. */
  readonly topic: string
  readonly lifeMs: number
}

export interface PushProvider {
  /** Browsers subscribe with this VAPID key (P-256, base64url). */
  readonly publicKey: string
  /** A failure of the push service throws no error. */
  send(address: PushAddress, message: PushMessage): Promise<PushOutcome>
}
