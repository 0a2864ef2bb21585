import { Value } from 'typebox/value'
import type { Answer } from '#server/platform/http-client.ts'
import { OtpError, otpErrorCodes, Verification, VerificationCheck } from '#shared/wire/otp/otp.wire.ts'
import type { CodeVerdict, SendAnswer, SendUnavailable } from './sessions.gateway.ts'

export type SendVerdict = SendAnswer | { readonly outcome: 'language-unknown' }

const refusedNumbers: readonly number[] = [
  otpErrorCodes.invalidParameter,
  otpErrorCodes.landline,
  otpErrorCodes.blockedByProvider,
  otpErrorCodes.prefixBlocked,
  otpErrorCodes.countryBlocked,
]

/** An unsupported `Locale` is answered with 404 (twilio.com/docs/verify/supported-languages). */
export function readSend({ status, body }: Answer): SendVerdict {
  if ((status === 201 || status === 200) && Value.Check(Verification, body))
    return { outcome: 'sent', ref: body.sid }
  if (status === 429) return { outcome: 'too-many' }
  if (status === 404) return { outcome: 'language-unknown' }
  if (status >= 400 && status < 500 && Value.Check(OtpError, body) && refusedNumbers.includes(body.code))
    return { outcome: 'phone-refused' }
  return { outcome: 'unavailable', isCertain: isRefusal(status) }
}

/**
 * A service that says in full that it failed has sent nothing. A success that cannot be read, and a proxy that lost
 * what stands behind it, may hide a code that went out.
 */
function isRefusal(status: number): boolean {
  return status >= 400 && status !== 408 && status !== 502 && status !== 504
}

/** The answer about a verification that never was: the same outages as a send, and else nothing. */
export function readPretence(answer: Answer): { readonly outcome: 'suppressed' } | SendUnavailable {
  if (answer.status === 404) return { outcome: 'suppressed' }
  const verdict = readSend(answer)
  return verdict.outcome === 'unavailable' ? verdict : { outcome: 'suppressed' }
}

/**
 * What was said about the verification `ref`. 404 is what remains of one that was approved, ran out or was checked too
 * often; an answer about another one, as a proxy that mixes up its callers would give it, is none.
 */
export function readCheck({ status, body }: Answer, ref: string): CodeVerdict | 'unavailable' {
  if ((status === 200 || status === 201) && Value.Check(VerificationCheck, body)) {
    if (body.sid !== ref) return 'expired'
    if (body.status === 'approved') return 'approved'
    if (body.status === 'max_attempts_reached') return 'locked'
    if (body.status === 'pending') return 'rejected'
    return 'expired'
  }
  if (status === 404) return 'expired'
  if (status === 429) return 'locked'
  if (status === 400 && Value.Check(OtpError, body)) return 'rejected'
  return 'unavailable'
}
