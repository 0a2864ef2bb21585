import { describe, expect, it } from 'vitest'
import { otherOrderIds } from './payment.signature.ts'

describe('otherOrderIds', () => {
  it.each([
    [12, 345, [1, 123, 1_234, 12_345]],
    [7, null, []],
    // The owner's number would begin with a zero, which no number does.
    [12, 305, [1, 1_230, 12_305]],
    [120, 4, [1, 1_204]],
  ])('of order %i and owner %j are the other splits of the same digits', (id, owner, others) => {
    expect(otherOrderIds({ order: { id }, owner })).toEqual(others)
  })

  it('are distinct numbers', () => {
    // Fifteen digits; with another digit of the owner the number would exceed the exact integers.
    const others = otherOrderIds({ order: { id: 999_999_999_999_999 }, owner: 88 })
    expect(others).toHaveLength(14)
    expect(others.every(Number.isSafeInteger)).toBe(true)
  })
})
