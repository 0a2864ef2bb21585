import { describe, expect, it } from 'vitest'
import { highestHeld, type LevelResult, nextFactor } from './levels.ts'

/** Runs the levels on an imaginary machine that can serve up to `limit` times the planned load. */
function play(limit: number, most = 1_024): LevelResult[] {
  const results: LevelResult[] = []
  for (let factor = nextFactor(results, most); factor !== undefined; factor = nextFactor(results, most))
    results.push({ factor, isHeld: factor <= limit })
  return results
}

describe('the levels of the day', () => {
  it.each([
    [0, [1], 0],
    [1, [1, 8, 2], 1],
    [3, [1, 8, 2, 4], 2],
    [5, [1, 8, 2, 4], 4],
    [8, [1, 8, 16], 8],
    [70, [1, 8, 16, 32, 64, 128], 64],
  ])('on a machine that holds %d times the load are %j', (limit, factors, held) => {
    const results = play(limit)
    expect(results.map(({ factor }) => factor)).toEqual(factors)
    expect(highestHeld(results)).toBe(held)
  })

  it('stop at the requested maximum', () => {
    expect(play(1_000, 1).map(({ factor }) => factor)).toEqual([1])
    expect(play(1_000, 20).map(({ factor }) => factor)).toEqual([1, 8, 16])
  })
})
