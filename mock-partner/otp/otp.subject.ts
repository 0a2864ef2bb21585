import { type Describe, distinct, noSubject } from '../platform/subject.ts'
import type { OtpWorld } from './otp.world.ts'

/** Requests name the phone, or a verification of it. */
export const describeOtp =
  (world: OtpWorld): Describe =>
  (request) => {
    const { service = '', sid } = request.params as { service?: string; sid?: string }
    const { To, VerificationSid } = (request.body ?? {}) as { To?: string; VerificationSid?: string }
    const named = sid ?? VerificationSid
    const phone = To ?? (named === undefined ? undefined : world.find(service, named)?.to)
    return { ...noSubject(), phone: phone ?? null, refs: distinct([named]) }
  }
