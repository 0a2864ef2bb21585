import { expect, it } from 'vitest'
import type { Leg } from '#shared/orders/orders.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { visitOf } from './visits.rules.ts'

const toMina: Leg = { from: 'center', to: 'agent' }
const fromMina: Leg = { from: 'agent', to: 'center' }
const hours = { week: [{ days: [0], from: '08:00', to: '23:00' }] }
// A Sunday.
const noon = Date.parse('2027-06-13T12:00:00+03:00')

it.each<[string, TravelState | null, Leg, string | undefined]>([
  ['a bag that waits at the branch', 'AT_BRANCH', fromMina, 'collection'],
  ['a bag that waits at an agent, who has no hours', 'AT_BRANCH', toMina, undefined],
  ['a bag that is handed over at the branch', 'READY', toMina, 'hand-over'],
  ['a bag that is handed over to an agent', 'READY', fromMina, undefined],
  ['a bag without its barcode', 'AWAITING_LABEL', toMina, undefined],
  ['a bag on its way, of which no day of arrival is known', 'IN_TRANSIT', fromMina, undefined],
  ['a bag that was collected', 'COLLECTED', fromMina, undefined],
  ['an unpaid order', null, toMina, undefined],
])('the visit for %s', (_, state, leg, purpose) => {
  expect(visitOf(state, leg, hours, noon)?.purpose).toBe(purpose)
})

it('lasts as long as the branch is open, and is none where its hours are not known', () => {
  const to = Date.parse('2027-06-13T23:00:00+03:00')
  expect(visitOf('AT_BRANCH', fromMina, hours, noon)).toEqual({ purpose: 'collection', from: noon, to })
  expect(visitOf('AT_BRANCH', fromMina, undefined, noon)).toBeUndefined()
})
