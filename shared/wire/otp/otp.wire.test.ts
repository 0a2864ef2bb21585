import { readdirSync, readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import {
  OtpError,
  otpSidPatterns,
  Verification,
  VerificationCheck,
  VerificationCheckRequest,
  VerificationRequest,
  VerificationUpdateRequest,
  verificationStatuses,
} from './otp.wire.ts'

/** A sample `<schema>.<case>.json` belongs to the schema named by its first part. */
const schemas: Record<string, TSchema> = {
  'verification-request': VerificationRequest,
  verification: Verification,
  'verification-check-request': VerificationCheckRequest,
  'verification-check': VerificationCheck,
  'verification-update-request': VerificationUpdateRequest,
  'otp-error': OtpError,
}
const folder = new URL('./samples/', import.meta.url)
const names = readdirSync(folder)
const readSample = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const schemaOf = (name: string): TSchema | undefined => schemas[name.split('.')[0] ?? '']

describe('samples of the OTP wire', () => {
  it('cover every schema, and nothing else', () => {
    expect(new Set(names.map((name) => name.split('.')[0]))).toEqual(new Set(Object.keys(schemas)))
  })

  it.each(names)('%s fits its schema, also with unknown fields', (name) => {
    const schema = schemaOf(name)
    if (schema === undefined) throw new Error(`no schema for ${name}`)
    const sample = readSample(name)
    expect([...Value.Errors(schema, sample)]).toEqual([])
    expect(Value.Check(schema, { ...sample, added_next_year: { at: 1 } })).toBe(true)
  })

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
