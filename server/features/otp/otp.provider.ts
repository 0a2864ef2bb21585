import type { CodeChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import type { Role } from './otp.rules.ts'

export type CheckOutcome = 'approved' | 'rejected' | 'expired' | 'locked'

/**
 * `phone-blocked`: no channel reaches the phone number. `phone-refused`: only this channel does not. `channel-refused`:
 * the channel sends no codes.
 */
export interface SendRefused {
  readonly outcome: 'phone-invalid' | 'phone-blocked' | 'phone-refused' | 'channel-refused' | 'too-many'
  readonly code?: number
}

/** `isCertain` is true when certainly no code was sent. */
export interface SendUnavailable {
  readonly outcome: 'unavailable'
  readonly isCertain: boolean
  readonly cause?: unknown
}

export type SendAnswer = { readonly outcome: 'sent'; readonly ref: string } | SendRefused | SendUnavailable

/** An approval that contradicts these fields is not valid. */
export interface SentTo {
  readonly ref: string
  /** A phone number in E.164, or an e-mail address. */
  readonly to: string
  readonly role: Role
}

export interface CodeOrder {
  readonly to: string
  readonly channel: CodeChannel | 'email'
  readonly language: LanguageCode
  readonly role: Role
}

export interface OtpProvider {
  /** A failure of the provider throws no error. */
  send(order: CodeOrder): Promise<SendAnswer>
  /** @throws Failure OTP_UNAVAILABLE after a time-out, a 5xx or an unreadable answer */
  check(sent: SentTo, code: string): Promise<CheckOutcome>
  /**
   * After a cancellation, the next send is a new code with all its tries. Never throws.
   * @returns false when the cancellation is uncertain
   */
  cancel(ref: string, role: Role): Promise<boolean>
  /** Asks whether the last SMS arrived. Never throws. */
  readDelivery(ref: string): Promise<CodeDelivery>
  /** Makes a similar request to `send` without a code, so that outages and delays look alike for every phone number. */
  pretendSend(
    role: Role,
    channel: CodeOrder['channel'],
  ): Promise<{ readonly outcome: 'suppressed' } | SendUnavailable>
  /** Checks a code that was never sent. @throws Failure OTP_UNAVAILABLE */
  pretendCheck(code: string, role: Role): Promise<void>
}
