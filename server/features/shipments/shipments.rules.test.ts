import { describe, expect, it } from 'vitest'
import { minute, second } from '#test/kit/clock.ts'
import { doubtMs, leaseMs, patience, retryDelayMs } from './shipments.rules.ts'

describe('leaseMs', () => {
  it('outlives a slow shipment and its label', () => {
    expect(leaseMs).toBeGreaterThan(patience.createMs + patience.readMs)
  })
})

describe('doubtMs', () => {
  it('outlives the time the partner is given to answer', () => {
    expect(doubtMs).toBeGreaterThan(patience.createMs)
  })
})

describe('retryDelayMs', () => {
  it('doubles from two seconds to five minutes', () => {
    const delays = [1, 2, 3, 4, 8, 9, 50].map((tries) => retryDelayMs(tries, 0) / second)
    expect(delays).toEqual([2, 4, 8, 16, 256, 300, 300])
  })

  it('adds up to a quarter by chance, so that what failed together does not come back together', () => {
    expect(retryDelayMs(1, 0.5)).toBe(2_250)
    expect(retryDelayMs(50, 0.999_999)).toBeLessThanOrEqual(6.25 * minute)
  })

  it('is never nothing', () => {
    expect(retryDelayMs(0, 0)).toBe(2 * second)
  })
})
