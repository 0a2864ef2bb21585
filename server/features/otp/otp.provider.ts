import type { CodeChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import type { Role } from './otp.rules.ts'

/** Only `approved` signs in. */
export type CheckOutcome = 'approved' | 'rejected' | 'expired' | 'locked'

/**
 * No code was sent. `phone-blocked`: no channel reaches the number. `phone-refused`: this channel does not.
 * `channel-refused`: the channel sends no codes.
 */
export interface SendRefused {
  readonly outcome: 'phone-invalid' | 'phone-blocked' | 'phone-refused' | 'channel-refused' | 'too-many'
  readonly code?: number
}

/** `isCertain`: no code was sent. */
export interface SendUnavailable {
  readonly outcome: 'unavailable'
  readonly isCertain: boolean
  readonly cause?: unknown
}

export type SendAnswer = { readonly outcome: 'sent'; readonly ref: string } | SendRefused | SendUnavailable

/** The answer to a check must not contradict this. */
export interface SentTo {
  readonly ref: string
  /** E.164, or an address. */
  readonly to: string
  readonly role: Role
}

export interface CodeOrder {
  /** E.164; an address for `email`. */
  readonly to: string
  readonly channel: CodeChannel | 'email'
  readonly language: LanguageCode
  readonly role: Role
}

export interface OtpProvider {
  /** A failure of the provider is an answer, not an exception. */
  send(order: CodeOrder): Promise<SendAnswer>
  /** @throws Failure OTP_UNAVAILABLE for a time-out, a 5xx or an answer that cannot be read */
  check(sent: SentTo, code: string): Promise<CheckOutcome>
  /** So that the next code has all its tries; `false` when that is not certain. Never throws. */
  cancel(ref: string, role: Role): Promise<boolean>
  /** @returns whether the last SMS arrived. Never throws. */
  readDelivery(ref: string): Promise<CodeDelivery>
  /** A request like `send` that sends no code, so that outages and delays look alike for every phone. */
  pretendSend(
    role: Role,
    channel: CodeOrder['channel'],
  ): Promise<{ readonly outcome: 'suppressed' } | SendUnavailable>
  /** A request like `check` for a code that was never sent. @throws Failure OTP_UNAVAILABLE */
  pretendCheck(code: string, role: Role): Promise<void>
}
