import { describe, expect, it } from 'vitest'
import {
  arrivalDays,
  inDaytime,
  isLate,
  keptUntil,
  lateFrom,
  presentPromisedDays,
  presentPromises,
  promisedDays,
  transitDaysOf,
  transitDaysOverall,
} from './promises.rules.ts'

const promises = { transitDays: { RUH: [2, 4], JED: [1, 2], default: [3, 6] } } satisfies Parameters<
  typeof transitDaysOf
>[0]
/** 23:30 of 26 May in Riyadh. */
const evening = Date.parse('2027-05-26T20:30:00Z')
const hour = 60 * 60_000

describe('what is promised of a way', () => {
  it.each([
    ['Riyadh', [2, 4]],
    ['Abha', [3, 6]],
    ['A city without letters', [3, 6]],
    [undefined, [3, 6]],
  ])('is by the city: %s', (city, days) => {
    expect(transitDaysOf(promises, city)).toEqual(days)
  })

  it('is nothing for a city that is not named where there are no days for the others', () => {
    expect(transitDaysOf({ transitDays: { RUH: [2, 4] } }, 'Jeddah')).toBeUndefined()
    expect(transitDaysOf({ transitDays: {} }, undefined)).toBeUndefined()
  })

  it('is from the least to the most of all cities as long as none is chosen', () => {
    expect(transitDaysOverall(promises)).toEqual([1, 6])
    expect(transitDaysOverall({ transitDays: {} })).toBeUndefined()
  })
})

describe('days of a bag', () => {
  it('are counted by the calendar of Riyadh from the day of the hand-over', () => {
    expect(arrivalDays([2, 4], evening)).toEqual(['2027-05-28', '2027-05-30'])
    // Half an hour later the day has changed in Riyadh, and not in London.
    expect(arrivalDays([2, 4], evening + hour / 2)).toEqual(['2027-05-29', '2027-05-31'])
    expect(keptUntil(7, evening)).toBe('2027-06-02')
  })

  it('are late once the last day has ended, and never without a promise', () => {
    const lastMoment = Date.parse('2027-06-03T20:59:59.999Z')
    expect(isLate({ lateAfterDays: 8 }, evening, lastMoment)).toBe(false)
    expect(isLate({ lateAfterDays: 8 }, evening, lastMoment + 1)).toBe(true)
    expect(isLate({}, evening, lastMoment + 1)).toBe(false)
  })

  it('for handing in are no promise any more once they are past', () => {
    const until = { ...promises, handInUntil: '2027-05-26' }
    expect(presentPromises(until, evening)).toEqual(until)
    expect(presentPromises(until, evening + hour / 2)).toEqual(promises)
  })
})

describe('the moment from which the owner is told that a bag is late', () => {
  it('is 09:00 in Riyadh of the first day on which it is', () => {
    const from = lateFrom({ lateAfterDays: 8 }, evening) ?? 0
    expect(new Date(from).toISOString()).toBe('2027-06-04T06:00:00.000Z')
    expect(isLate({ lateAfterDays: 8 }, evening, from)).toBe(true)
    expect(isLate({ lateAfterDays: 8 }, evening, from - 9 * hour - 1)).toBe(false)
  })

  it('is never without a promise', () => {
    expect(lateFrom({}, evening)).toBeUndefined()
  })
})

it.each([
  ['2027-05-26T08:59', '2027-05-26T09:00'],
  ['2027-05-26T09:00', '2027-05-26T09:00'],
  ['2027-05-26T20:59', '2027-05-26T20:59'],
  ['2027-05-26T21:00', '2027-05-27T09:00'],
  ['2027-05-26T23:30', '2027-05-27T09:00'],
])('a message of %s in Riyadh waits until %s', (at, until) => {
  expect(inDaytime(Date.parse(`${at}+03:00`))).toBe(Date.parse(`${until}+03:00`))
})

describe('the days that a message names', () => {
  const all = { ...promises, handInUntil: '2027-05-26', storageDays: 7, lateAfterDays: 8 }
  const riyadh = { city: 'Riyadh', endsAtBranch: true }
  const day = 24 * hour

  it('are those of the city, of the hand-over and of the arrival', () => {
    const way = { ...riyadh, handedOverAt: evening, arrivedAt: evening + 2 * day }
    expect(presentPromisedDays(promisedDays(all, way), evening)).toEqual({
      transit: [2, 4],
      handInUntil: '2027-05-26',
      storageDays: 7,
      arrival: ['2027-05-28', '2027-05-30'],
      keptUntil: '2027-06-04',
      dueOn: '2027-05-30',
    })
  })

  it('are none that is past, but for the one on which it was due', () => {
    const way = { ...riyadh, handedOverAt: evening, arrivedAt: evening }
    expect(presentPromisedDays(promisedDays(all, way), evening + 8 * day)).toEqual({
      transit: [2, 4],
      handInUntil: undefined,
      storageDays: 7,
      arrival: undefined,
      keptUntil: undefined,
      dueOn: '2027-05-30',
    })
  })

  it('name no storage where an agent hands the bag out', () => {
    const way = { city: 'Riyadh', endsAtBranch: false, arrivedAt: evening }
    expect(promisedDays(all, way)).toMatchObject({ storageDays: undefined, keptUntil: undefined })
  })

  it('are due on the last day in time where no days until the arrival are promised', () => {
    const late = { transitDays: {}, lateAfterDays: 8 }
    expect(promisedDays(late, { ...riyadh, handedOverAt: evening }).dueOn).toBe('2027-06-03')
    expect(promisedDays({ transitDays: {} }, { ...riyadh, handedOverAt: evening }).dueOn).toBeUndefined()
  })
})
