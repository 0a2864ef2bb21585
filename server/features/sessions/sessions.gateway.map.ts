import { Value } from 'typebox/value'
import type { Answer } from '#server/platform/http-client.ts'
import { OtpError, otpErrorCodes, Verification, VerificationCheck } from '#shared/wire/otp/otp.wire.ts'
import type { CodeVerdict } from './sessions.gateway.ts'

export type SendVerdict =
  | { readonly outcome: 'sent'; readonly ref: string }
  | { readonly outcome: 'phone-refused' | 'too-many' | 'language-unknown' | 'unavailable' }

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
  return { outcome: 'unavailable' }
}

/** 404 is what remains of a verification that was approved, ran out or was checked too often. */
export function readCheck({ status, body }: Answer): CodeVerdict | 'unavailable' {
  if ((status === 200 || status === 201) && Value.Check(VerificationCheck, body)) {
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
