import { describe, expect, it } from 'vitest'
import { openingOf, weekOf } from './hours.rules.ts'
import type { BranchHours } from './partner.schemas.ts'

const work = [0, 1, 2, 3, 4]
const weekend = [5, 6]
const usual: BranchHours = {
  week: [
    { days: work, from: '08:00', to: '23:00' },
    { days: weekend, from: '16:00', to: '20:00' },
  ],
}
const split: BranchHours = {
  week: [
    { days: work, from: '09:00', to: '12:00' },
    { days: work, from: '16:00', to: '21:00' },
  ],
}
const overMidnight: BranchHours = { week: [{ days: [4], from: '18:00', to: '02:00' }] }
const always: BranchHours = {
  week: [
    { days: [...work, ...weekend], from: '00:00', to: '12:00' },
    { days: [...work, ...weekend], from: '11:00', to: '00:00' },
  ],
}

/** 13 June 2027 is a Sunday and in neither season. */
const at = (day: number, time: string) => Date.parse(`2027-06-${day}T${time}:00+03:00`)

const open = (until: number) => ({ state: 'open', until })
const closed = (opensAt: number, isToday = false) => ({ state: 'closed', opensAt, isToday })

describe('what is known of a branch', () => {
  it.each<[string, BranchHours, number, unknown]>([
    ['before it opens', usual, at(13, '07:59'), closed(at(13, '08:00'), true)],
    ['as it opens', usual, at(13, '08:00'), open(at(13, '23:00'))],
    ['before it closes', usual, at(13, '22:59'), open(at(13, '23:00'))],
    ['as it closes, in a zone where the next day has begun', usual, at(13, '23:00'), closed(at(14, '08:00'))],
    ['after midnight, which is the day before in UTC', usual, at(14, '00:30'), closed(at(14, '08:00'), true)],
    ['on the last evening before the weekend', usual, at(17, '23:30'), closed(at(18, '16:00'))],
    ['at the weekend', usual, at(18, '17:00'), open(at(18, '20:00'))],
    ['between the days of the weekend', usual, at(18, '20:00'), closed(at(19, '16:00'))],
    ['in the first of two shifts', split, at(13, '11:00'), open(at(13, '12:00'))],
    ['between two shifts', split, at(13, '12:00'), closed(at(13, '16:00'), true)],
    ['over a whole weekend', split, at(17, '21:00'), closed(at(20, '09:00'))],
    ['past midnight', overMidnight, at(18, '01:59'), open(at(18, '02:00'))],
    ['after that, until a week later', overMidnight, at(18, '02:00'), closed(at(24, '18:00'))],
    ['around the clock, in shifts that meet and overlap', always, at(13, '11:59'), { state: 'open' }],
    ['without any shift', { week: [] }, at(13, '12:00'), undefined],
  ])('%s', (_, hours, now, opening) => {
    expect(openingOf(hours, now)).toEqual(opening)
  })

  it('is nothing without hours', () => {
    expect(openingOf(undefined, at(13, '12:00'))).toBeUndefined()
  })

  it.each([
    ['2027-02-07T22:59:00+03:00', 'open'],
    ['2027-02-07T23:00:00+03:00', 'unsure'],
    ['2027-02-08T00:00:00+03:00', 'unsure'],
    ['2027-03-12T23:59:00+03:00', 'unsure'],
    ['2027-03-13T00:00:00+03:00', 'closed'],
    ['2027-05-06T22:59:00+03:00', 'open'],
    ['2027-05-07T00:00:00+03:00', 'unsure'],
    ['2027-05-19T23:59:00+03:00', 'unsure'],
    ['2027-05-20T00:00:00+03:00', 'closed'],
  ])(
    'is unsure in Ramadan and Hajj, each to the end of its Eid, and when it opens then: %s',
    (time, state) => {
      expect(openingOf(usual, Date.parse(time))?.state).toBe(state)
    },
  )
})

describe('the hours of a week', () => {
  const shift = { from: '08:00', to: '23:00' }
  const evening = { from: '16:00', to: '23:00' }
  const everyDay = [0, 1, 2, 3, 4, 5, 6]

  it.each<[string, BranchHours['week'], ReturnType<typeof weekOf>]>([
    [
      'have a part for the days with the same hours',
      usual.week,
      [
        { days: [[0, 4]], shifts: [{ from: '08:00', to: '23:00' }] },
        { days: [[5, 6]], shifts: [{ from: '16:00', to: '20:00' }] },
      ],
    ],
    [
      'go on over the end of the week',
      [
        { days: [6, 0, 1, 2, 3, 4], ...shift },
        { days: [5], ...evening },
      ],
      [
        { days: [[6, 4]], shifts: [shift] },
        { days: [[5, 5]], shifts: [evening] },
      ],
    ],
    ['are those of every day', [{ days: everyDay, ...shift }], [{ days: null, shifts: [shift] }]],
    [
      'name days apart from each other in one part, and no day on which the branch is closed',
      [{ days: [0, 2, 3], ...shift }],
      [
        {
          days: [
            [0, 0],
            [2, 3],
          ],
          shifts: [shift],
        },
      ],
    ],
    [
      'have both shifts of a split day, the earlier first',
      [
        { days: [5], ...evening },
        { days: [5], from: '09:00', to: '12:00' },
      ],
      [{ days: [[5, 5]], shifts: [{ from: '09:00', to: '12:00' }, evening] }],
    ],
    ['are nothing for a branch that never opens', [{ days: [], ...shift }], []],
  ])('%s', (_, week, parts) => {
    expect(weekOf({ week })).toEqual(parts)
  })
})
