import { describe, expect, it } from 'vitest'
import { endsAtBranch, legsOf } from './orders.rules.ts'

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

describe('legsOf', () => {
  it.each([
    ['FROM_MINA', [back]],
    ['TO_MINA', [there]],
    ['TO_AND_FROM_MINA', [there, back]],
  ] as const)('makes of %s its legs in the order of travel', (type, legs) => {
    expect(legsOf(type, agent, center)).toEqual(legs)
  })
})

describe('endsAtBranch', () => {
  it.each(['FROM_MINA', 'TO_MINA', 'TO_AND_FROM_MINA'] as const)('agrees with the legs of %s', (type) => {
    const ends = legsOf(type, agent, center).map(({ destination }) => destination.city === center.city)
    expect(ends.map((_, leg) => endsAtBranch(type, leg))).toEqual(ends)
  })
})
