import { describe, expect, it } from 'vitest'
import { canonicalPhone } from '#server/platform/phone.ts'
import { phoneOf } from './journey.ts'

describe('phones of a benchmark', () => {
  const phones = Array.from({ length: 20_000 }, (_, index) => phoneOf(index))

  it('are all different', () => {
    expect(new Set(phones).size).toBe(phones.length)
  })

  it('are canonical numbers', () => {
    for (const index of [0, 1, 5, 6, 5_999, 6_000, 59_999_999]) {
      const phone = phoneOf(index)
      expect(canonicalPhone(phone)).toBe(phone)
    }
  })

  it('are spread over prefixes, so that no limit per prefix is reached', () => {
    const perPrefix = Map.groupBy(phones, (phone) => phone.slice(0, -4))
    expect(perPrefix.size).toBe(6_000)
    expect(Math.max(...[...perPrefix.values()].map((own) => own.length))).toBeLessThanOrEqual(4)
  })
})
