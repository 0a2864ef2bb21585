import { describe, expect, it } from 'vitest'
import { noon } from '#test/kit/basics/clock.ts'
import { secondsUntil } from './otp.rules.ts'

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
