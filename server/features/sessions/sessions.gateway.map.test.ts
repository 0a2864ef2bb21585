import { describe, expect, it } from 'vitest'
import { verificationStatuses } from '#shared/wire/otp/otp.wire.ts'
import { sampleOf } from '#test/kit/outsider.ts'
import { readCheck, readPretence, readSend } from './sessions.gateway.map.ts'

const pending = sampleOf('otp', 'verification.pending')
const check = sampleOf('otp', 'verification-check.approved')
const refusal = (code: number) => ({ code, message: 'no', status: 400 })

describe('readSend', () => {
  it.each([200, 201])('reads a verification that came with %i', (status) => {
    expect(readSend({ status, body: pending })).toEqual({ outcome: 'sent', ref: pending.sid })
  })

  it.each([60_200, 60_205, 60_238, 60_410, 60_605])(
    'reads %i as a number the provider will not serve',
    (code) => {
      expect(readSend({ status: 400, body: refusal(code) })).toEqual({ outcome: 'phone-refused' })
      expect(readSend({ status: 403, body: refusal(code) })).toEqual({ outcome: 'phone-refused' })
    },
  )

  it('reads every 429 as enough, whatever its body', () => {
    for (const body of [refusal(60_203), refusal(20_429), undefined])
      expect(readSend({ status: 429, body })).toEqual({ outcome: 'too-many' })
  })

  it('reads a 404 as a language the provider does not know', () => {
    expect(readSend({ status: 404, body: refusal(20_404) })).toEqual({ outcome: 'language-unknown' })
  })

  it.each([
    [400, refusal(99_999), true],
    [401, refusal(20_003), true],
    [400, undefined, true],
    [500, refusal(60_200), true],
    [503, undefined, true],
    [408, undefined, false],
    [502, refusal(60_200), false],
    [504, undefined, false],
    [200, { ...pending, sid: 17 }, false],
    [204, undefined, false],
    [302, pending, false],
  ])('does not understand %i with anything else', (status, body, isCertain) => {
    expect(readSend({ status, body })).toEqual({ outcome: 'unavailable', isCertain })
  })
})

describe('readPretence', () => {
  it('reads what the service says of a verification it does not know as nothing', () => {
    expect(readPretence({ status: 404, body: refusal(20_404) })).toEqual({ outcome: 'suppressed' })
    expect(readPretence({ status: 429, body: refusal(20_429) })).toEqual({ outcome: 'suppressed' })
    expect(readPretence({ status: 200, body: pending })).toEqual({ outcome: 'suppressed' })
  })

  it('reads every outage as a send would', () => {
    for (const [status, body] of [
      [500, undefined],
      [503, refusal(1)],
      [504, undefined],
      [401, undefined],
      [200, 'OK'],
    ] as const)
      expect(readPretence({ status, body })).toEqual(readSend({ status, body }))
  })
})

describe('readCheck', () => {
  const expected: Record<string, string> = {
    approved: 'approved',
    pending: 'rejected',
    max_attempts_reached: 'locked',
    canceled: 'expired',
    deleted: 'expired',
    failed: 'expired',
    expired: 'expired',
  }

  it.each([...verificationStatuses])('reads the word %s', (status) => {
    expect(readCheck({ status: 200, body: { ...check, status } }, check.sid)).toBe(expected[status])
  })

  it('takes a word it does not know as a no', () => {
    expect(readCheck({ status: 200, body: { ...check, status: 'Approved' } }, check.sid)).toBe('expired')
    expect(
      readCheck({ status: 200, body: { ...check, status: 'already_approved', valid: true } }, check.sid),
    ).toBe('expired')
  })

  it('reads the word and not the old flag', () => {
    expect(readCheck({ status: 200, body: { ...check, status: 'pending', valid: true } }, check.sid)).toBe(
      'rejected',
    )
  })

  it.each([202, 302, 401, 403, 500, 503])('does not understand %i, even with an approval in it', (status) => {
    expect(readCheck({ status, body: check }, check.sid)).toBe('unavailable')
  })

  it('does not take an answer about another verification', () => {
    expect(readCheck({ status: 200, body: check }, `VE${'9'.repeat(32)}`)).toBe('expired')
  })
})
