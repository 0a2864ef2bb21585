import { describe, expect, it } from 'vitest'
import { median, percentile, summaryOf } from './numbers.ts'

describe('numbers of a benchmark', () => {
  it('takes the nearest rank as a percentile', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(percentile(hundred, 0.95)).toBe(95)
    expect(percentile(hundred, 0.99)).toBe(99)
    expect(percentile(hundred, 1)).toBe(100)
    expect(percentile(hundred, 0)).toBe(1)
    expect(percentile([7], 0.95)).toBe(7)
    // One slow answer of twenty is within the five percent; two are not.
    expect(percentile([...Array(19).fill(1), 500], 0.95)).toBe(1)
    expect(percentile([...Array(18).fill(1), 500, 500], 0.95)).toBe(500)
  })

  it('takes the middle value as the median, in any order', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    // Numbers, not texts: 10 is more than 9.
    expect(median([10, 9, 100])).toBe(10)
  })

  it('returns NaN for an empty list', () => {
    expect(median([])).toBeNaN()
    expect(percentile([], 0.5)).toBeNaN()
    expect(summaryOf([])).toMatchObject({ count: 0, slowest: Number.NaN })
  })

  it('summarises without changing the list', () => {
    const values = [3, 1, 2]
    expect(summaryOf(values)).toEqual({ count: 3, median: 2, p95: 3, p99: 3, slowest: 3 })
    expect(values).toEqual([3, 1, 2])
  })
})
