import { expect, it } from 'vitest'
import { legsOf } from './orders.rules.ts'

it('has one leg on a one-way route', () => {
  expect(legsOf('FROM_MINA')).toEqual([{ from: 'agent', to: 'center' }])
  expect(legsOf('TO_MINA')).toEqual([{ from: 'center', to: 'agent' }])
})

it('has two legs on a return route, the one to Mina first', () => {
  expect(legsOf('TO_AND_FROM_MINA')).toEqual([
    { from: 'center', to: 'agent' },
    { from: 'agent', to: 'center' },
  ])
})
