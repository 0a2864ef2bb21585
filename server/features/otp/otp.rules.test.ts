import { describe, expect, it } from 'vitest'
import { deviceLifeMs } from '#shared/sessions/session-lives.ts'
import { day, minute, noon } from '#test/kit/clock.ts'
import { challengeRules, failureMemoryMs, guessRules, secondsUntil } from './otp.rules.ts'

describe('lives', () => {
  it('of a code are 5 minutes, 10 once it is proven, and 10 at the provider', () => {
    expect(challengeRules).toEqual({ lifeMs: 5 * minute, provenMs: 10 * minute, providerLifeMs: 10 * minute })
  })

  it('of a known device and of consecutive wrong codes are half a year', () => {
    expect([deviceLifeMs, failureMemoryMs]).toEqual([180 * day, 180 * day])
  })
})

describe('guesses', () => {
  it('are 3 per code, 1 under attack, 20 consecutive ones, and 3 more per code whose answers are lost', () => {
    expect(guessRules).toEqual({
      triesPerCode: 3,
      consecutiveFailures: 20,
      uncountedPerCode: 3,
      triesUnderAttack: 1,
    })
  })
})

describe('secondsUntil', () => {
  it.each([
    [noon + 60_000, 60],
    [noon + 59_001, 60],
    [noon + 1, 1],
    [noon, 0],
    [noon - 5_000, 0],
  ])('rounds %i up to %i whole seconds, never below zero', (at, seconds) => {
    expect(secondsUntil(at, noon)).toBe(seconds)
  })
})
