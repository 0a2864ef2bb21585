import { describe, expect, it } from 'vitest'
import { verificationStatuses } from '#shared/wire/otp/otp.wire.ts'
import { sampleOf } from '#test/kit/gateway/stub-service.ts'
import { readAttempts, readCheck, readPretence, readSend } from './otp.provider.map.ts'

const pending = sampleOf('otp', 'verification.pending')
const check = sampleOf('otp', 'verification-check.approved')
const twin = { sid: check.sid, to: check.to, service_sid: check.service_sid }
const refusal = (code: number | string) => ({ code, message: 'no', status: 400 })

describe('readSend', () => {
  it.each([200, 201])('reads a verification with status %i', (status) => {
    expect(readSend({ status, body: pending })).toEqual({ outcome: 'sent', ref: pending.sid })
  })

  it.each([
    ...[60_205, 60_238, 60_410, 60_605].map((code) => ['phone-blocked', code] as const),
    ...[21_211, 21_408, 21_610, 21_614].map((code) => ['phone-refused', code] as const),
  ])('reads as %s, by whatever channel: %i', (outcome, code) => {
    for (const body of [refusal(code), refusal(String(code)), { code }])
      for (const status of [400, 403])
        for (const channel of ['sms', 'call'] as const)
          expect(readSend({ status, body }, channel)).toEqual({ outcome, code })
  })

  it('reads any refusal of another channel that is not about the number or the account as one of the channel', () => {
    for (const code of [60_200, 60_327, 99_999])
      expect(readSend({ status: 400, body: refusal(code) }, 'whatsapp')).toEqual({
        outcome: 'channel-refused',
        code,
      })
    for (const [status, code] of [
      [401, 20_003],
      [429, 20_429],
    ] as const)
      expect(readSend({ status, body: refusal(code) }, 'call')).toMatchObject({ outcome: 'unavailable' })
  })

  it('reads 60200 as an invalid number', () => {
    expect(readSend({ status: 400, body: refusal(60_200) })).toEqual({
      outcome: 'phone-invalid',
      code: 60_200,
    })
  })

  it('needs only the reference of a verification', () => {
    const unusual = { sid: pending.sid, valid: null, to: 966500000001, date_created: 17, brand_new: [] }
    expect(readSend({ status: 201, body: unusual })).toEqual({ outcome: 'sent', ref: pending.sid })
  })

  it.each([60_202, 60_203, 60_212])('reads 429 with %i as too many for one number', (code) => {
    expect(readSend({ status: 429, body: refusal(code) })).toEqual({ outcome: 'too-many' })
    expect(readCheck({ status: 429, body: refusal(code) }, twin)).toBe('locked')
  })

  it('reads every other 429 as unavailable, and certainly nothing was sent or compared', () => {
    for (const body of [refusal(20_429), refusal(60_207), undefined]) {
      expect(readSend({ status: 429, body })).toEqual({ outcome: 'unavailable', isCertain: true })
      expect(readCheck({ status: 429, body }, twin)).toBe('unavailable')
    }
  })

  it('reads a 404, and 60331 with whatever status, as an unsupported language', () => {
    expect(readSend({ status: 404, body: refusal(20_404) })).toEqual({ outcome: 'language-unknown' })
    for (const status of [400, 403, 404])
      expect(readSend({ status, body: refusal(60_331) }, 'call')).toEqual({ outcome: 'language-unknown' })
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
  ])('reads %i with any other body as unavailable', (status, body, isCertain) => {
    expect(readSend({ status, body })).toEqual({ outcome: 'unavailable', isCertain })
  })
})

describe('readAttempts', () => {
  const attempts = sampleOf('otp', 'verification-attempts.undelivered')
  const [attempt] = attempts.attempts
  const read = (...found: object[]) =>
    readAttempts({ status: 200, body: { attempts: found.map((each) => ({ ...attempt, ...each })) } })
  const withStatus = (message_status: unknown) => ({ channel_data: { message_status } })

  it.each([
    ['delivered', 'delivered'],
    ['READ', 'delivered'],
    ['undelivered', 'undelivered'],
    ['failed', 'undelivered'],
    ['sent', 'unknown'],
    ['brand-new', 'unknown'],
    [undefined, 'unknown'],
    [17, 'unknown'],
  ])('reads the status %s of a message as %s', (status, expected) => {
    expect(read(withStatus(status))).toBe(expected)
  })

  it('reads the newest attempt, whatever the order', () => {
    const older = { date_created: '2026-05-27T09:29:00Z', ...withStatus('delivered') }
    expect([read(older, {}), read({}, older)]).toEqual(['undelivered', 'undelivered'])
  })

  it('knows nothing without an attempt, without its data, and from any other answer', () => {
    expect([read(), read({ channel_data: null })]).toEqual(['unknown', 'unknown'])
    for (const [status, body] of [
      [404, attempts],
      [200, 'OK'],
      [200, { attempts: [null] }],
    ] as const)
      expect(readAttempts({ status, body })).toBe('unknown')
  })
})

describe('readPretence', () => {
  it('reads the answer about an unknown verification as suppressed', () => {
    expect(readPretence({ status: 404, body: refusal(20_404) })).toEqual({ outcome: 'suppressed' })
    expect(readPretence({ status: 200, body: pending })).toEqual({ outcome: 'suppressed' })
  })

  it('reads every outage as a send does', () => {
    for (const [status, body] of [
      [429, refusal(20_429)],
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

  it.each([...verificationStatuses])('reads the status %s', (status) => {
    expect(readCheck({ status: 200, body: { ...check, status } }, twin)).toBe(expected[status])
  })

  it.each(['Approved', 'approved ', 'already_approved', 'already verified', ''])(
    'reads the unknown status %j as not approved, whatever the rest says',
    (status) => {
      expect(readCheck({ status: 200, body: { ...check, status, valid: true } }, twin)).toBe('expired')
    },
  )

  it.each([{ valid: true }, 'approved', [check], null, undefined, { ...check, status: ['approved'] }])(
    'reads a success with the body %j as unavailable',
    (body) => {
      expect(readCheck({ status: 200, body }, twin)).toBe('unavailable')
    },
  )

  it.each([
    ['a verification that is gone', 404, 'not-found', 'expired'],
    ['a code it does not like', 400, 'invalid-parameter', 'rejected'],
  ])('reads %s', (_, status, sample, outcome) => {
    expect(readCheck({ status, body: sampleOf('otp', `otp-error.${sample}`) }, twin)).toBe(outcome)
    expect(readCheck({ status: 400, body: undefined }, twin)).toBe('unavailable')
  })

  it.each([202, 302, 401, 403, 500, 503])(
    'reads %i as unavailable, even with an approval in the body',
    (status) => {
      expect(readCheck({ status, body: check }, twin)).toBe('unavailable')
    },
  )

  it('ignores an answer about another verification', () => {
    const other = { ...twin, sid: `VE${'9'.repeat(32)}` }
    expect(readCheck({ status: 200, body: check }, other)).toBe('expired')
  })

  it.each([
    ['says that it is not valid', { valid: false }],
    ['says as text that it is not valid', { valid: 'false' }],
    ['is about another phone', { to: '+966500000002' }],
    ['is about no phone', { to: '' }],
    ['comes from another service', { service_sid: `VA${'9'.repeat(32)}` }],
  ])('ignores an approval that %s', (_, change) => {
    expect(readCheck({ status: 200, body: { ...check, ...change } }, twin)).toBe('expired')
  })

  it.each([
    ['has only the required fields', { sid: check.sid, status: 'approved' }],
    ['has nulls', { ...check, valid: null, to: null, service_sid: null, date_created: null }],
    ['has other types', { ...check, valid: 'true', to: 966500000001, date_created: 17, amount: 1 }],
    ['has unknown fields', { ...check, risk: { score: 1 } }],
  ])('accepts an approval that %s', (_, body) => {
    expect(readCheck({ status: 201, body }, twin)).toBe('approved')
  })
})
