import { distinct, type FindReferences, noReferences } from '../platform/references.ts'
import type { OtpState } from './otp.state.ts'

/** Requests name the phone, or a verification of it. */
export const findOtpReferences =
  (state: OtpState): FindReferences =>
  (request) => {
    const { service = '', sid } = request.params as { service?: string; sid?: string }
    const { To, VerificationSid } = (request.body ?? {}) as { To?: string; VerificationSid?: string }
    const named = sid ?? VerificationSid
    const phone = To ?? (named === undefined ? undefined : state.find(service, named)?.to)
    return { ...noReferences(), phone: phone ?? null, refs: distinct([named]) }
  }
