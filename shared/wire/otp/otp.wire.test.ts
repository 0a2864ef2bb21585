import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { wireSamples } from '#test/kit/gateway/wire-samples.ts'
import {
  OtpError,
  otpSidPatterns,
  Verification,
  VerificationAttempts,
  VerificationCheck,
  VerificationCheckRequest,
  VerificationRequest,
  VerificationUpdateRequest,
  verificationStatuses,
} from './otp.wire.ts'

const { names, readSample } = wireSamples(import.meta.url, {
  'verification-request': VerificationRequest,
  verification: Verification,
  'verification-check-request': VerificationCheckRequest,
  'verification-check': VerificationCheck,
  'verification-attempts': VerificationAttempts,
  'verification-update-request': VerificationUpdateRequest,
  'otp-error': OtpError,
})

describe('samples of the OTP wire', () => {
  it('are refused when a field that is read is missing', () => {
    for (const name of names.filter((each) => each.startsWith('verification-check.'))) {
      const { status: _, ...rest } = readSample(name)
      expect(Value.Check(VerificationCheck, rest)).toBe(false)
    }
  })

  it('hold ids of the published shapes and statuses of the published list', () => {
    const sample = readSample('verification.pending.json')
    expect(sample.sid).toMatch(otpSidPatterns.verification)
    expect(sample.service_sid).toMatch(otpSidPatterns.service)
    expect(sample.account_sid).toMatch(otpSidPatterns.account)
    expect(verificationStatuses).toContain(sample.status)
  })
})
