import type { CodeChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import type { Role } from './otp.rules.ts'

/** The provider's answer to a code. Only `approved` signs in. */
export type CheckOutcome = 'approved' | 'rejected' | 'expired' | 'locked'

/**
 * No code was sent: not a number; one that gets no code by any channel, or by this one; a channel that sends none; a number
 * that got too many.
 */
export interface SendRefused {
  readonly outcome: 'phone-invalid' | 'phone-blocked' | 'phone-refused' | 'channel-refused' | 'too-many'
  /** The provider's error. */
  readonly code?: number
}

/** No usable answer. `isCertain`: certainly no code was sent. */
export interface SendUnavailable {
  readonly outcome: 'unavailable'
  readonly isCertain: boolean
  readonly cause?: unknown
}

export type SendAnswer = { readonly outcome: 'sent'; readonly ref: string } | SendRefused | SendUnavailable

/** A code that was sent: the provider's reference, and what the answer to a check must not contradict. */
export interface SentTo {
  readonly ref: string
  /** E.164, or an address. */
  readonly to: string
  readonly role: Role
}

/** A code to be sent. */
export interface CodeOrder {
  /** E.164; an address for `email`. */
  readonly to: string
  readonly channel: CodeChannel | 'email'
  /** The language of the text. For a foreign number the provider chooses it by the country. */
  readonly language: LanguageCode
  readonly role: Role
}

/** The OTP service. */
export interface OtpProvider {
  /** Sends a code. A failure of the provider is an answer, not an exception. */
  send(order: CodeOrder): Promise<SendAnswer>
  /**
   * Compares a code with the one that was sent.
   * @throws Failure OTP_UNAVAILABLE for a time-out, a 5xx or an answer that cannot be read.
   */
  check(sent: SentTo, code: string): Promise<CheckOutcome>
  /** Cancels the code of `ref`, so that the next one has all its tries; `false` when that is not certain. Never throws. */
  cancel(ref: string, role: Role): Promise<boolean>
  /** Whether the last SMS of a verification arrived. Never throws. */
  readDelivery(ref: string): Promise<CodeDelivery>
  /** Makes a request like `send` without sending a code, so that outages and delays look alike for every phone. */
  pretendSend(
    role: Role,
    channel: CodeOrder['channel'],
  ): Promise<{ readonly outcome: 'suppressed' } | SendUnavailable>
  /** Makes a request like `check` for a code that was never sent. @throws Failure OTP_UNAVAILABLE as `check`. */
  pretendCheck(code: string, role: Role): Promise<void>
}
