import type { LanguageCode } from '#shared/platform/language.ts'
import type { Audience } from './sessions.rules.ts'

/** What the provider made of a code. Only `approved` signs anybody in. */
export type CodeVerdict = 'approved' | 'rejected' | 'expired' | 'locked'

/** No answer that can be used. `isCertain`: surely no code went out. */
export interface SendUnavailable {
  readonly outcome: 'unavailable'
  readonly isCertain: boolean
  readonly cause?: unknown
}

export type SendAnswer =
  | { readonly outcome: 'sent'; readonly ref: string }
  /** The provider will not serve this number, or has had enough of it: no code went out. */
  | { readonly outcome: 'phone-refused' | 'too-many' }
  | SendUnavailable

/** The OTP service, as this room needs it. `phone` is E.164. */
export interface OtpGateway {
  /** Sends a code and answers the provider's reference of it. Never throws for what the provider does. */
  send(phone: string, language: LanguageCode, audience: Audience): Promise<SendAnswer>
  /**
   * Compares a code with the one that was sent under `ref`.
   * @throws Failure OTP_UNAVAILABLE for a time-out, a 5xx or an answer that is not understood: never `approved`.
   */
  check(ref: string, code: string, audience: Audience): Promise<CodeVerdict>
  /** Ends what was sent under `ref`, so that the next code starts anew; `false` when that is not sure. Never throws. */
  cancel(ref: string, audience: Audience): Promise<boolean>
  /** Goes the way of `send` and sends nothing, so that an outage or a slow day looks the same for a stranger. */
  pretendSend(audience: Audience): Promise<{ readonly outcome: 'suppressed' } | SendUnavailable>
  /** Goes the way of `check` for a code that was never sent. @throws Failure OTP_UNAVAILABLE as `check`. */
  pretendCheck(code: string, audience: Audience): Promise<void>
}
