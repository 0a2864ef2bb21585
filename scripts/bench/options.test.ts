import { describe, expect, it } from 'vitest'
import { readOptions } from './options.ts'

describe('the options of a benchmark', () => {
  it('have defaults for each benchmark', () => {
    expect(readOptions([])).toMatchObject({
      benchmark: 'rows',
      engines: ['sqlite'],
      sizes: [1_000, 1_000_000],
      journeys: 10_000,
      out: 'data/bench-rows.json',
    })
    expect(readOptions(['scale'])).toMatchObject({
      engines: ['sqlite', 'postgres'],
      sizes: [1_000, 100_000, 1_000_000],
    })
    expect(readOptions(['transit'])).toMatchObject({ sizes: [20_000], rounds: 24 })
    expect(readOptions(['panel'])).toMatchObject({ sizes: [500], rounds: 10 })
    expect(readOptions(['day'])).toMatchObject({ engines: ['sqlite', 'postgres'], seconds: 60, most: 64 })
  })

  it('can be set separately', () => {
    expect(
      readOptions([
        'scale',
        '--engine',
        'postgres',
        '--sizes',
        '500,2000',
        '--rounds',
        '3',
        '--out',
        'x.json',
      ]),
    ).toMatchObject({ engines: ['postgres'], sizes: [500, 2_000], rounds: 3, out: 'x.json' })
  })

  it.each([
    [['week'], 'there is no benchmark week'],
    [['scale', 'day'], 'there is no benchmark scale day'],
    [['--rounds', '0'], '--rounds is not a whole number above 0'],
    [['--sizes', '1e6'], '--sizes is not a whole number above 0'],
    [['--sizes', '20'], '--sizes are at least 500'],
    [['--engine', 'mysql'], '--engine is sqlite or postgres'],
    [['--fast'], '--fast'],
  ])('%j is refused', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence)
  })
})
