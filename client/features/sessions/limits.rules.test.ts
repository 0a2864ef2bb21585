import { describe, expect, it } from 'vitest'
import { type Limit, limitName, limitOn, waitOf, withLimit, withoutLimit } from './limits.rules.ts'

const limit: Limit = {
  role: 'user',
  step: 'send',
  phone: '+966501234567',
  code: 'TOO_MANY_CODES',
  until: 10_000,
}

describe('a limit', () => {
  it('holds for its screen, its step and its phone', () => {
    expect(limitOn([limit], 'user', 'send', limit.phone)).toBe(limit)
    expect(limitOn([limit], 'agent', 'send', limit.phone)).toBeUndefined()
    expect(limitOn([limit], 'user', 'check', limit.phone)).toBeUndefined()
    expect(limitOn([limit], 'user', 'send', '+966501234568')).toBeUndefined()
  })

  it('of a sign-in that is busy as a whole holds for every phone', () => {
    const busy = { ...limit, code: 'SIGN_IN_BUSY' }
    expect(limitOn([busy], 'user', 'send', '+966501234568')).toBe(busy)
  })

  it('takes the place of the one before, and those that are over go', () => {
    const later = { ...limit, until: 20_000 }
    const over = { ...limit, phone: '+1', until: 4_000 }
    const other = { ...limit, step: 'check' as const }
    expect(withLimit([over, limit, other], later, 5_000)).toEqual([other, later])
  })

  it('that no time ends holds until the step has worked', () => {
    const locked = { ...limit, code: 'PHONE_LOCKED', until: null }
    expect(withLimit([locked], { ...limit, step: 'check' }, 99_000)).toContain(locked)
    expect(withoutLimit([locked], locked)).toEqual([])
    const others = [{ ...locked, phone: '+1' }]
    expect(withoutLimit(others, locked)).toBe(others)
  })

  it.each([
    ['PHONE_LOCKED', 'PHONE_LOCKED'],
    ['SOMETHING_NEW', 'other'],
  ])('called %s is told in the words of %s', (code, name) => {
    expect(limitName(code)).toBe(name)
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
