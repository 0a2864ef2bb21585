import { describe, expect, it } from 'vitest'
import { day, hour, minute, noon } from '#test/kit/clock.ts'
import {
  canonicalCode,
  challengeRules,
  idleLimit,
  secondsUntil,
  sessionLife,
  tidyName,
} from './sessions.rules.ts'

describe('sessionLife', () => {
  it('is what the design promises to pilgrims and to agents', () => {
    expect(sessionLife).toEqual({
      user: { idleMs: 7 * day, absoluteMs: 30 * day },
      agent: { idleMs: hour, absoluteMs: 12 * hour },
    })
  })
})

describe('challengeRules', () => {
  it('stays within what a code of four digits can bear', () => {
    expect(challengeRules.lifeMs).toBeLessThanOrEqual(10 * minute)
    expect(challengeRules.maxChecks).toBeLessThanOrEqual(3)
    expect(challengeRules.resendMs).toBeGreaterThanOrEqual(minute)
    expect(challengeRules.provenMs).toBe(10 * minute)
  })
})

describe('idleLimit', () => {
  it.each([
    ['user', noon + 30 * day, noon + 7 * day],
    ['agent', noon + 12 * hour, noon + hour],
    ['user', noon + 2 * day, noon + 2 * day],
    ['agent', noon + minute, noon + minute],
  ] as const)('of a session of %s that ends at %i is %i', (role, endsAt, limit) => {
    expect(idleLimit(role, noon, endsAt)).toBe(limit)
  })
})

describe('secondsUntil', () => {
  it.each([
    [noon + 60_000, 60],
    [noon + 59_001, 60],
    [noon + 1, 1],
    [noon, 0],
    [noon - 5_000, 0],
  ])('counts up to whole seconds and never below none', (at, seconds) => {
    expect(secondsUntil(at, noon)).toBe(seconds)
  })
})

describe('canonicalCode', () => {
  it.each(['1234', '١٢٣٤', '۱۲۳۴', '1٢۳4'])('reads %s', (typed) => {
    expect(canonicalCode(typed)).toBe('1234')
  })
})

describe('tidyName', () => {
  it.each([
    ['  عبد   الله ', 'عبد الله'],
    ['Abdullah', 'Abdullah'],
    ['A\u00A0\u00A0B', 'A B'],
    ['   ', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('makes of %j %j', (typed, name) => {
    expect(tidyName(typed)).toBe(name)
  })
})
