import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRiyals, halalasOf, riyalsOf } from './money.ts'

describe('halalasOf', () => {
  it.each([
    [50, 5_000],
    [50.25, 5_025],
    [0, 0],
    [0.01, 1],
    [19.99, 1_999],
    [1.1, 110],
    [-50, -5_000],
  ])('reads %d riyals as %i halalas', (riyals, halalas) => {
    expect(halalasOf(riyals)).toBe(halalas)
  })

  it.each([50.001, 50.0000000001, 49.9999999999, 0.005, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'has no halalas for %d',
    (riyals) => {
      expect(halalasOf(riyals)).toBeUndefined()
    },
  )

  it('reads every amount of two decimals exactly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000_00 }),
        (halalas) => halalasOf(riyalsOf(halalas)) === halalas,
      ),
    )
  })
})

describe('formatRiyals', () => {
  it.each([
    [5_000, '50.00'],
    [5_025, '50.25'],
    [5, '0.05'],
    [1_000_000, '10000.00'],
  ])('writes %i halalas as %s', (halalas, text) => {
    expect(formatRiyals(halalas)).toBe(text)
  })
})
