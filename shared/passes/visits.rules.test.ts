import { describe, expect, it } from 'vitest'
import type { Leg } from '#shared/orders/orders.rules.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'
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

describe('it lasts as long as the branch is open:', () => {
  const week = (from: string, to: string) => ({ week: [{ days: [0, 1, 2, 3, 4], from, to }] })
  const split = { week: [...week('09:00', '12:00').week, ...week('16:00', '21:00').week] }
  /** 13 June 2027 is a Sunday and in neither season. */
  const at = (day: number, time: string) => Date.parse(`2027-06-${day}T${time}:00+03:00`)
  const usual = week('08:00', '23:00')

  it.each<[string, BranchHours | undefined, number, [number, number] | undefined]>([
    ['what is left of this opening', usual, at(13, '22:00'), [at(13, '22:00'), at(13, '23:00')]],
    ['the next one within the last hour', usual, at(13, '22:01'), [at(14, '08:00'), at(14, '23:00')]],
    ['the next one while it is closed', usual, at(17, '23:30'), [at(20, '08:00'), at(20, '23:00')]],
    ['the second of two shifts', split, at(13, '11:30'), [at(13, '16:00'), at(13, '21:00')]],
    [
      'a short one where there is no other',
      week('08:00', '08:30'),
      at(13, '08:10'),
      [at(14, '08:00'), at(14, '08:30')],
    ],
    [
      'none around the clock',
      {
        week: [
          { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '12:00' },
          { days: [0, 1, 2, 3, 4, 5, 6], from: '11:00', to: '00:00' },
        ],
      },
      noon,
      undefined,
    ],
    ['none without hours', undefined, noon, undefined],
    ['none in a season', usual, Date.parse('2027-05-10T12:00:00+03:00'), undefined],
    ['none on the eve of a season', usual, Date.parse('2027-05-06T22:30:00+03:00'), undefined],
  ])('%s', (_, known, now, expected) => {
    const visit = visitOf('AT_BRANCH', fromMina, known, now)
    expect(visit && [visit.from, visit.to]).toEqual(expected)
  })
})
