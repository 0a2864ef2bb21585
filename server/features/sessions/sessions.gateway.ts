import type { LanguageCode } from '#shared/platform/language.ts'
import type { Audience } from './sessions.rules.ts'

/** What the provider made of a code. Only `approved` signs anybody in. */
export type CodeVerdict = 'approved' | 'rejected' | 'expired' | 'locked'

/** The OTP service, as this room needs it. `phone` is E.164. */
export interface OtpGateway {
  /**
   * Sends a code and answers the provider's reference of it.
   * @throws Failure OTP_UNAVAILABLE when the provider cannot be reached or refuses for reasons of its own,
   * PHONE_INVALID when it refuses the number, TOO_MANY_CODES when it has had enough of it.
   */
  send(phone: string, language: LanguageCode, audience: Audience): Promise<string>
  /**
   * Compares a code with the one that was sent under `ref`.
   * @throws Failure OTP_UNAVAILABLE for a time-out, a 5xx or an answer that is not understood: never `approved`.
   */
  check(ref: string, code: string, audience: Audience): Promise<CodeVerdict>
}
