// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import {
  isActive,
  type Limit,
  limitName,
  limitOn,
  newestLimitOn,
  waitOf,
  withLimit,
  withoutLimit,
} from './limits.rules.ts'

const limit: Limit = {
  role: 'user',
  step: 'send',
  phone: '+966501234567',
  code: 'TOO_MANY_CODES',
  until: 10_000,
}

describe('a limit', () => {
  it('applies to its role, step and phone', () => {
    expect(limitOn([limit], { role: 'user', step: 'send', phone: limit.phone })).toBe(limit)
    expect(limitOn([limit], { role: 'agent', step: 'send', phone: limit.phone })).toBeUndefined()
    expect(limitOn([limit], { role: 'user', step: 'check', phone: limit.phone })).toBeUndefined()
    expect(limitOn([limit], { role: 'user', step: 'send', phone: '+966501234568' })).toBeUndefined()
  })

  it('that is a pause applies to its channel, all others to every channel', () => {
    const byCall = { ...limit, channel: 'call', code: 'CODE_REQUESTED_TOO_SOON' } as const
    const { role, step, phone } = limit
    const on = (given: Limit, channel?: 'call' | 'sms') => limitOn([given], { role, step, phone, channel })
    expect([on(byCall, 'call'), on(byCall, 'sms'), on(byCall)]).toEqual([byCall, undefined, undefined])
    expect([on(limit, 'call'), on(limit)]).toEqual([limit, limit])
    expect(newestLimitOn([limit, byCall], limit)).toBe(byCall)
    const later = { ...byCall, until: 20_000 }
    expect(withLimit([byCall, { ...byCall, channel: 'sms' }], later, 0)).toEqual([
      ...[{ ...byCall, channel: 'sms' }, later],
    ])
  })

  it('of codes by e-mail leaves the other channels', () => {
    const letters = { ...limit, channel: 'email', code: 'TOO_MANY_EMAIL_CODES' } as const
    expect(limitOn([letters], { ...letters, channel: 'sms' })).toBeUndefined()
    expect(limitOn([letters], letters)).toBe(letters)
  })

  it('of a busy sign-in applies to its phone only', () => {
    const busy = { ...limit, code: 'SIGN_IN_BUSY' }
    expect(limitOn([busy], { role: 'user', step: 'send', phone: '+447400123456' })).toBeUndefined()
  })

  it('replaces the previous one, and expired ones are dropped', () => {
    const later = { ...limit, until: 20_000 }
    const over = { ...limit, phone: '+1', until: 4_000 }
    const other = { ...limit, step: 'check' as const }
    expect(withLimit([over, limit, other], later, 5_000)).toEqual([other, later])
  })

  it('without an end applies until the step succeeds', () => {
    const locked = { ...limit, code: 'PHONE_LOCKED', until: null }
    expect(withLimit([locked], { ...limit, step: 'check' }, 99_000)).toContain(locked)
    expect(withoutLimit([locked], locked)).toEqual([])
    const others = [{ ...locked, phone: '+1' }]
    expect(withoutLimit(others, locked)).toBe(others)
  })

  it('is over at its end, not before', () => {
    expect(isActive(limit, 9_999)).toBe(true)
    expect(isActive(limit, 10_000)).toBe(false)
    expect(isActive({ ...limit, until: null }, Number.MAX_SAFE_INTEGER)).toBe(true)
  })

  it.each([
    ['CODE_REQUESTED_TOO_SOON', 'CODE_REQUESTED_TOO_SOON'],
    ['TOO_MANY_CODES', 'TOO_MANY_CODES'],
    ['TOO_MANY_EMAIL_CODES', 'TOO_MANY_EMAIL_CODES'],
    ['TOO_MANY_WRONG_CODES', 'TOO_MANY_WRONG_CODES'],
    ['PHONE_LOCKED', 'PHONE_LOCKED'],
    ['SIGN_IN_BUSY', 'SIGN_IN_BUSY'],
    ['SOMETHING_NEW', 'other'],
  ])('%s uses the text of %s', (code, name) => {
    expect(limitName({ role: 'user', code })).toBe(name)
  })

  it.each([
    ['CODE_REQUESTED_TOO_SOON', 'agent.CODE_REQUESTED_TOO_SOON'],
    ['TOO_MANY_CODES', 'agent.TOO_MANY_CODES'],
    ['SIGN_IN_BUSY', 'SIGN_IN_BUSY'],
  ])('%s does not say to an agent that a code was sent: %s', (code, name) => {
    expect(limitName({ role: 'agent', code })).toBe(name)
  })
})

describe('a wait', () => {
  it.each([
    [1, '0:01'],
    [59, '0:59'],
    [272, '4:32'],
    [3599, '59:59'],
  ])('of %i seconds is a clock: %s', (seconds, text) => {
    expect(waitOf(seconds)).toEqual({ kind: 'clock', text })
  })

  it.each([
    [3600, 1, 0],
    [3601, 1, 1],
    [7200, 2, 0],
    [86_399, 24, 0],
  ])('of %i seconds is %i hours and %i minutes', (seconds, hours, minutes) => {
    expect(waitOf(seconds)).toEqual({ kind: 'words', hours, minutes })
  })
})
