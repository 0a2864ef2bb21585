import { distinct, type FindReferences, noReferences } from '../platform/references.ts'
import type { OtpState } from './otp.state.ts'

/** Requests name the phone, or a verification of it. */
export const findOtpReferences =
  (state: OtpState): FindReferences =>
  (request) => {
    const { sid } = request.params as { sid?: string }
    const asked = { ...(request.query as object), ...(request.body as object | undefined) }
    const { To, VerificationSid } = asked as { To?: string; VerificationSid?: string }
    const named = sid ?? VerificationSid
    const phone = To ?? (named === undefined ? undefined : state.attempts(named)[0]?.verification.to)
    return { ...noReferences(), phone: phone ?? null, refs: distinct([named]) }
  }
