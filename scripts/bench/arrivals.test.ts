import { describe, expect, it } from 'vitest'
import { createRandom } from '#test/kit/random.ts'
import { poissonArrivals, thinkingMs } from './arrivals.ts'

const gapsOf = (arrivals: readonly number[]) => arrivals.map((at, index) => at - (arrivals[index - 1] ?? 0))

describe('open arrivals', () => {
  it('have the requested rate, in order, within the time', () => {
    const arrivals = poissonArrivals(50, 200, createRandom(1), 100_000)
    // 10,000 expected; the standard deviation of a Poisson count is its root, 100.
    expect(Math.abs(arrivals.length - 10_000)).toBeLessThan(500)
    expect(gapsOf(arrivals).every((gap) => gap >= 0)).toBe(true)
    expect(arrivals.at(-1)).toBeLessThan(200_000)
  })

  it('have the gaps of a Poisson process: the deviation equals the mean', () => {
    const gaps = gapsOf(poissonArrivals(50, 200, createRandom(2), 100_000))
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
    expect(deviation / mean).toBeGreaterThan(0.95)
    expect(deviation / mean).toBeLessThan(1.05)
  })

  it('depend on the seed only', () => {
    const of = (seed: number) => poissonArrivals(10, 5, createRandom(seed), 100)
    expect(of(3)).toEqual(of(3))
    expect(of(3)).not.toEqual(of(4))
  })

  it('are bounded in count, and none at rate 0', () => {
    expect(poissonArrivals(1_000, 60, createRandom(5), 7)).toHaveLength(7)
    expect(poissonArrivals(0, 60, createRandom(5), 7)).toEqual([])
  })

  it('have the requested mean pause, with an upper bound', () => {
    const random = createRandom(6)
    const pauses = Array.from({ length: 20_000 }, () => thinkingMs(100, random))
    const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length
    expect(Math.abs(mean - 100)).toBeLessThan(5)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(800)
    expect(thinkingMs(100, { ...random, next: () => 1 - Number.EPSILON })).toBe(800)
  })
})
