import { describe, expect, it } from 'vitest'
import { priceOf } from './price.rules.ts'

const fare = { base: 50, return: 50 }

describe('the price', () => {
  it.each(['FROM_MINA', 'TO_MINA'] as const)('of %s is the base fare', (type) => {
    expect(priceOf(type, fare)).toEqual({
      oneWayHalalas: 5_000,
      wayBackHalalas: 0,
      totalHalalas: 5_000,
      vatHalalas: 652,
    })
  })

  it('of a return trip adds the return fare', () => {
    expect(priceOf('TO_AND_FROM_MINA', fare)).toEqual({
      oneWayHalalas: 5_000,
      wayBackHalalas: 5_000,
      totalHalalas: 10_000,
      vatHalalas: 1_304,
    })
  })

  it('follows the configured fare', () => {
    expect(priceOf('FROM_MINA', { base: 11.5, return: 0 })).toMatchObject({
      totalHalalas: 1_150,
      vatHalalas: 150,
    })
  })

  it('refuses a fare finer than a halala', () => {
    expect(() => priceOf('FROM_MINA', { base: 50.005, return: 0 })).toThrow('halala')
  })
})
