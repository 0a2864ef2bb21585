import { describe, expect, it } from 'vitest'
import { type CheckoutFacts, refusalsOf } from './checkout.rules.ts'

const fitting: CheckoutFacts = {
  userId: 7,
  principalId: 7,
  type: 'FROM_MINA',
  enabledTypes: ['FROM_MINA'],
  noOfPackages: 1,
  isAgentKnown: true,
  isCenterKnown: true,
  amount: 50,
}

describe('refusalsOf', () => {
  it('refuses no field of a valid request', () => {
    expect(refusalsOf(fitting)).toEqual([])
  })

  it.each<[string, Partial<CheckoutFacts>]>([
    ['userId', { userId: 8 }],
    ['type', { enabledTypes: ['TO_MINA'] }],
    ['type', { enabledTypes: [] }],
    ['noOfPackages', { noOfPackages: 0 }],
    ['noOfPackages', { noOfPackages: 2 }],
    ['agentCode', { isAgentKnown: false }],
    ['centerCode', { isCenterKnown: false }],
    ['amount', { amount: 49.99 }],
    ['amount', { amount: 50.01 }],
    ['amount', { amount: 50.001 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: -50 }],
    ['amount', { amount: 5_000 }],
    ['amount', { amount: Number.NaN }],
    ['amount', { amount: Number.POSITIVE_INFINITY }],
  ])('refuses %s: %j', (field, change) => {
    expect(refusalsOf({ ...fitting, ...change })).toEqual([field])
  })

  it('requires the fare of the chosen route', () => {
    const both = { ...fitting, type: 'TO_AND_FROM_MINA', enabledTypes: ['TO_AND_FROM_MINA'] } as const
    expect(refusalsOf(both)).toEqual(['amount'])
    expect(refusalsOf({ ...both, amount: 100 })).toEqual([])
  })

  it('returns every refused field', () => {
    const facts = {
      userId: 1,
      principalId: 2,
      noOfPackages: 3,
      isAgentKnown: false,
      isCenterKnown: false,
      amount: 1,
    }
    expect(refusalsOf({ ...facts, type: 'TO_MINA', enabledTypes: ['FROM_MINA'] })).toEqual([
      'userId',
      'type',
      'noOfPackages',
      'agentCode',
      'centerCode',
      'amount',
    ])
  })
})
