import { describe, expect, it } from 'vitest'
import { endsAtBranch, legLocationsOf, refundOf } from './orders.rules.ts'

const agent = {
  id: 'A01',
  name: 'وكيل منى',
  address: 'منى',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: { latitude: 21.4, longitude: 39.8 },
}
const center = {
  code: '1',
  addressAR: 'حي السويدي',
  addressEN: 'Al Suwaidi',
  city: 'Riyadh',
  coordinates: null,
}
const atAgent = {
  name: 'وكيل منى',
  address: 'منى',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: { latitude: 21.4, longitude: 39.8 },
}
const atCenter = {
  addressAR: 'حي السويدي',
  addressEN: 'Al Suwaidi',
  city: 'Riyadh',
  coordinates: null,
}
const back = { origin: atAgent, destination: atCenter }
const there = { origin: atCenter, destination: atAgent }

describe('legLocationsOf', () => {
  it.each([
    ['FROM_MINA', [back]],
    ['TO_MINA', [there]],
    ['TO_AND_FROM_MINA', [there, back]],
  ] as const)('returns the legs of %s in the order of travel', (type, legs) => {
    expect(legLocationsOf(type, agent, center)).toEqual(legs)
  })
})

describe('endsAtBranch', () => {
  it.each(['FROM_MINA', 'TO_MINA', 'TO_AND_FROM_MINA'] as const)('agrees with the legs of %s', (type) => {
    const ends = legLocationsOf(type, agent, center).map(
      ({ destination }) => destination.city === center.city,
    )
    expect(ends.map((_, leg) => endsAtBranch(type, leg))).toEqual(ends)
  })
})

describe('refundOf', () => {
  const known = (state: 'pending' | 'done' | 'needs-help') =>
    ({ state, amount: 49, reason: 'second-payment' }) as const
  const owed = { state: 'needs-help', amount: 50, reason: 'cancelled' } as const
  const unpaid = { payment: 'unpaid', ended: null } as const
  const paid = { payment: 'paid', ended: null } as const
  const cancelled = { payment: 'paid', ended: 'cancelled' } as const

  it.each([
    [unpaid, known('done'), owed, owed],
    [unpaid, known('pending'), owed, known('pending')],
    [paid, undefined, undefined, undefined],
    [paid, undefined, owed, undefined],
    [paid, known('done'), owed, known('done')],
    [cancelled, undefined, undefined, undefined],
    [cancelled, known('pending'), owed, known('pending')],
    [cancelled, known('done'), owed, owed],
    [cancelled, undefined, owed, owed],
    [{ payment: 'returned', ended: 'cancelled' }, known('done'), owed, known('done')],
  ] as const)('of an order that is %j with %j and %j is %j', (order, refund, writtenOff, expected) => {
    expect(refundOf(order, refund, writtenOff)).toEqual(expected)
  })
})
