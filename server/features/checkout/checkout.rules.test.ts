import { describe, expect, it } from 'vitest'
import { refusalsOf } from './checkout.rules.ts'

type Request = Parameters<typeof refusalsOf>[0]
type Offer = Parameters<typeof refusalsOf>[1]

const request: Request = {
  userId: 7,
  type: 'FROM_MINA',
  noOfPackages: 1,
  agentCode: 'A01',
  centerCode: '1',
  amount: 50,
}
const offer: Offer = { principalId: 7, enabledTypes: ['FROM_MINA'], agent: {}, center: {} }

describe('a booking', () => {
  it('that fits is refused no field', () => {
    expect(refusalsOf(request, offer)).toEqual([])
  })

  it.each<[string, Partial<Request>]>([
    ['userId', { userId: 8 }],
    ['noOfPackages', { noOfPackages: 0 }],
    ['noOfPackages', { noOfPackages: 2 }],
    ['amount', { amount: 49.99 }],
    ['amount', { amount: 50.01 }],
    ['amount', { amount: 50.001 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: -50 }],
    ['amount', { amount: 5_000 }],
    ['amount', { amount: Number.NaN }],
    ['amount', { amount: Number.POSITIVE_INFINITY }],
  ])('is refused %s: %j', (field, change) => {
    expect(refusalsOf({ ...request, ...change }, offer)).toEqual([field])
  })

  it.each<[string, Partial<Offer>]>([
    ['type', { enabledTypes: ['TO_MINA'] }],
    ['type', { enabledTypes: [] }],
    ['agentCode', { agent: undefined }],
    ['centerCode', { center: undefined }],
  ])('is refused %s where the offer differs', (field, change) => {
    expect(refusalsOf(request, { ...offer, ...change })).toEqual([field])
  })

  it('needs the fare of the chosen route', () => {
    const both = { ...request, type: 'TO_AND_FROM_MINA' } as const
    const enabled = { ...offer, enabledTypes: ['TO_AND_FROM_MINA'] } as const
    expect(refusalsOf(both, enabled)).toEqual(['amount'])
    expect(refusalsOf({ ...both, amount: 100 }, enabled)).toEqual([])
  })

  it('is told every refused field', () => {
    const wrong = { ...request, userId: 1, type: 'TO_MINA', noOfPackages: 3, amount: 1 } as const
    expect(refusalsOf(wrong, { ...offer, principalId: 2, agent: undefined, center: undefined })).toEqual([
      'userId',
      'type',
      'noOfPackages',
      'agentCode',
      'centerCode',
      'amount',
    ])
  })
})
