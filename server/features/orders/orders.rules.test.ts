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
  const whole = { state: 'done', amount: 50, reason: 'operator' }

  it.each([
    ['PAID', undefined, undefined],
    ['PAID', known('done'), known('done')],
    ['PENDING_PAYMENT', known('pending'), known('pending')],
    ['REFUNDED', undefined, whole],
    ['REFUNDED', known('pending'), known('pending')],
    ['REFUNDED', known('needs-help'), known('needs-help')],
    ['REFUNDED', known('done'), whole],
  ] as const)('of an order that is %s with %j is %j', (status, refund, expected) => {
    expect(refundOf({ status, amount_halalas: 5_000, cancelled_at: null }, refund)).toEqual(expected)
  })

  it('of an order that was cancelled says so, and shows nothing where nothing was paid', () => {
    const cancelled = { amount_halalas: 5_000, cancelled_at: 1 }
    expect(refundOf({ ...cancelled, status: 'REFUNDED' }, undefined)).toEqual({
      ...whole,
      reason: 'cancelled',
    })
    expect(refundOf({ ...cancelled, status: 'CANCELLED' }, undefined)).toBeUndefined()
    expect(refundOf({ ...cancelled, status: 'CANCELLED' }, known('pending'))).toEqual(known('pending'))
  })
})
