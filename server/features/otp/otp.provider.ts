import type { CodeChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import type { Role } from './otp.rules.ts'

/** Only `approved` means that the code is right. */
export type CheckOutcome = 'approved' | 'rejected' | 'expired' | 'locked'

/**
 * No code was sent. `phone-blocked`: no channel reaches the number. `phone-refused`: this channel does not reach it.
 * `channel-refused`: the channel sends no codes.
 */
export interface SendRefused {
  readonly outcome: 'phone-invalid' | 'phone-blocked' | 'phone-refused' | 'channel-refused' | 'too-many'
  readonly code?: number
}

/** `isCertain`: it is certain that no code was sent. */
export interface SendUnavailable {
  readonly outcome: 'unavailable'
  readonly isCertain: boolean
  readonly cause?: unknown
}

export type SendAnswer = { readonly outcome: 'sent'; readonly ref: string } | SendRefused | SendUnavailable

/** The code that was sent. An approval that contradicts these fields is not valid. */
export interface SentTo {
  readonly ref: string
  /** A phone number in E.164, or an e-mail address. */
  readonly to: string
  readonly role: Role
}

export interface CodeOrder {
  /** A phone number in E.164; an e-mail address for `email`. */
  readonly to: string
  readonly channel: CodeChannel | 'email'
  readonly language: LanguageCode
  readonly role: Role
}

export interface OtpProvider {
  /** Never throws when the provider fails: the failure is an answer. */
  send(order: CodeOrder): Promise<SendAnswer>
  /** @throws Failure OTP_UNAVAILABLE for a time-out, a 5xx or an answer that cannot be read */
  check(sent: SentTo, code: string): Promise<CheckOutcome>
  /**
   * Cancels a code, so that the next one is new and has all its tries.
   * @returns false when that is not certain. Never throws.
   */
  cancel(ref: string, role: Role): Promise<boolean>
  /** @returns whether the last SMS arrived. Never throws. */
  readDelivery(ref: string): Promise<CodeDelivery>
  /** Makes a request like `send` that sends no code, so that outages and delays look alike for every phone number. */
  pretendSend(
    role: Role,
    channel: CodeOrder['channel'],
  ): Promise<{ readonly outcome: 'suppressed' } | SendUnavailable>
  /** Makes a request like `check`, about a code that was never sent. @throws Failure OTP_UNAVAILABLE */
  pretendCheck(code: string, role: Role): Promise<void>
}
