import { describe, expect, it } from 'vitest'
import { minute, noon, second } from '#test/kit/basics/clock.ts'
import { leaseMs, lookUpDelayMs, retryDelayMs, timeouts, unansweredMs } from './shipments.rules.ts'

describe('leaseMs', () => {
  it('outlives a slow shipment and its label', () => {
    expect(leaseMs).toBeGreaterThan(timeouts.createMs + timeouts.readMs)
  })

  it('ends before the uncertainty of a creation by a dead process', () => {
    expect(leaseMs).toBeLessThan(unansweredMs(minute))
  })
})

describe('unansweredMs', () => {
  it('is the partner’s time to answer and then the quiet window', () => {
    expect(unansweredMs(minute)).toBe(timeouts.createMs + minute)
  })
})

describe('lookUpDelayMs', () => {
  /** Moments of the look-ups after `now`, in seconds after the window began. */
  function lookUps(uncertainUntil: number, start: number, quietMs: number): number[] {
    const moments: number[] = []
    let now = start
    while (now < uncertainUntil) {
      now += lookUpDelayMs(uncertainUntil, now, quietMs)
      moments.push((now - (uncertainUntil - quietMs)) / second)
    }
    return moments
  }

  it('is at 2, 5, 10, 20, 40 and 60 seconds after the window began', () => {
    expect(lookUps(noon + minute, noon, minute)).toEqual([2, 5, 10, 20, 40, 60])
  })

  it('skips the moments that have passed', () => {
    expect(lookUps(noon + minute, noon + 7 * second, minute)).toEqual([10, 20, 40, 60])
  })

  it('follows the same steps after the request, while the partner may still be working', () => {
    const uncertainUntil = noon + unansweredMs(minute)
    const moments = lookUps(uncertainUntil, noon, minute).map((moment) => moment + timeouts.createMs / second)
    expect(moments).toEqual([2, 5, 10, 20, 32, 35, 40, 50, 70, 90])
  })

  it('scales with the length of the window', () => {
    expect(lookUps(noon + 6 * second, noon, 6 * second)).toEqual([0.2, 0.5, 1, 2, 4, 6])
  })

  it('counts from the window alone once it has begun', () => {
    // Ten seconds later the request is 40 s old: a step from before the window, which no longer counts.
    expect(lookUpDelayMs(noon + 8 * minute, noon, 8 * minute)).toBe(16 * second)
  })

  it('is never zero before the end', () => {
    expect(lookUpDelayMs(noon + 101, noon + 100, 101)).toBe(1)
    // A third of a millisecond before a step.
    expect(lookUpDelayMs(noon + 101, noon + 3, 101)).toBe(1)
  })
})

describe('retryDelayMs', () => {
  it('doubles from two seconds to five minutes', () => {
    const delays = [1, 2, 3, 4, 8, 9, 50].map((tries) => retryDelayMs(tries, 0) / second)
    expect(delays).toEqual([2, 4, 8, 16, 256, 300, 300])
  })

  it('adds up to a quarter of jitter', () => {
    expect(retryDelayMs(1, 0.5)).toBe(2_250)
    // Whole milliseconds, the nearest.
    expect(retryDelayMs(1, 0.9995)).toBe(2_500)
    expect(retryDelayMs(50, 0.999_999)).toBeLessThanOrEqual(6.25 * minute)
  })

  it('is never zero', () => {
    expect(retryDelayMs(0, 0)).toBe(2 * second)
  })
})
