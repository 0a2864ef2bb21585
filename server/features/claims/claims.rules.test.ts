import { describe, expect, it } from 'vitest'
import type { BookingEvent, TravelState } from '#shared/orders/travel.schemas.ts'
import { day, hour } from '#test/kit/basics/clock.ts'
import { dayOfDeadline, deadlineAfter, isWorkingDay, offeredKinds } from './claims.rules.ts'

const riyadh = (time: string) => Date.parse(`${time}+03:00`)
const answerBy = (time: string, holidays: readonly string[] = []) =>
  dayOfDeadline(deadlineAfter(riyadh(time), 5, holidays))

describe('the day until which we answer', () => {
  // desk.md §10: Sunday to Thursday, from the day after the opening.
  it.each([
    ['a Wednesday', '2027-05-19T10:00', [], '2027-05-26'],
    ['the last minute of a Thursday', '2027-05-20T23:59', [], '2027-05-27'],
    ['a Friday', '2027-05-21T00:00', [], '2027-05-27'],
    ['a Saturday', '2027-05-22T12:00', [], '2027-05-27'],
    ['a Sunday before a holiday', '2027-05-23T08:00', ['2027-05-25'], '2027-05-31'],
    ['a holiday', '2027-05-25T08:00', ['2027-05-25'], '2027-06-01'],
    ['a day before holidays on the weekend', '2027-05-19T10:00', ['2027-05-21', '2027-05-22'], '2027-05-26'],
    ['the end of a month', '2027-05-31T20:00', [], '2027-06-07'],
    ['the end of a year', '2026-12-31T20:00', [], '2027-01-07'],
  ])('is the fifth working day after %s', (_, opened, holidays, day) => {
    expect(answerBy(opened, holidays)).toBe(day)
  })

  it('ends at midnight in Riyadh', () => {
    const deadline = deadlineAfter(riyadh('2027-05-19T10:00'), 5, [])
    expect(deadline).toBe(riyadh('2027-05-27T00:00'))
    expect(isWorkingDay(deadline, [])).toBe(true)
    expect(isWorkingDay(deadline, ['2027-05-26'])).toBe(false)
  })

  it('is the next working day after one that was missed at its midnight', () => {
    expect(dayOfDeadline(deadlineAfter(riyadh('2027-05-27T00:00'), 1, []))).toBe('2027-05-30')
  })
})

describe('what can be reported', () => {
  const now = riyadh('2027-05-28T12:00')
  const event = (kind: BookingEvent['kind'], ago: number, source: BookingEvent['source'] = 'courier') => ({
    kind,
    source,
    at: new Date(now - ago).toISOString(),
  })
  const kinds = (state: TravelState | null, events: BookingEvent[]) =>
    offeredKinds(undefined, { state, events }, now).join(' ')
  const taken = (ago: number) => event('handed-over', ago, 'agent')
  const all = 'late lost damaged missing wrong-branch other'

  it.each([
    ['a bag that was taken less than 72 hours ago', 'HANDED_OVER', [taken(72 * hour - 1)], 'other'],
    ['a bag that was taken 72 hours ago', 'IN_TRANSIT', [taken(72 * hour)], 'late lost other'],
    [
      'a bag that was given back and taken again',
      'HANDED_OVER',
      [taken(80 * hour), event('hand-over-undone', 79 * hour, 'agent'), taken(hour)],
      'other',
    ],
    [
      'a bag that only the courier has seen',
      'IN_TRANSIT',
      [event('picked-up', 73 * hour)],
      'late lost other',
    ],
    ['a bag at its branch', 'AT_BRANCH', [taken(90 * hour)], 'damaged missing wrong-branch other'],
    [
      'a bag that was collected 30 days ago',
      'COLLECTED',
      [taken(40 * day), event('collected', 30 * day)],
      'damaged missing wrong-branch other',
    ],
    [
      'a bag that was collected longer ago, whatever a scan said',
      'COLLECTED',
      [taken(40 * day), event('exception', 39 * day), event('collected', 30 * day + 1)],
      'other',
    ],
    ['a bag of which a scan says so', 'EXCEPTION', [taken(hour), event('exception', 1)], all],
    ['a bag that goes back', 'EXCEPTION', [taken(hour), event('returning', 1)], all],
  ] as const)('of %s', (_, state, events, offered) => {
    expect(kinds(state, [...events])).toBe(offered)
  })

  it('is that a bag is late once the day that its owner was promised is over', () => {
    // On the evening of 26 May.
    const events = [taken(40 * hour)]
    const offered = (lateAfterDays: number) =>
      offeredKinds({ transitDays: {}, lateAfterDays }, { state: 'IN_TRANSIT', events }, now)
    expect(offered(1)).toContain('late')
    expect(offered(2)).toEqual(['other'])
  })

  it.each([null, 'AWAITING_LABEL', 'READY', 'CANCELLED'] as const)(
    'is nothing of a bag that is %s',
    (state) => {
      expect(kinds(state, [])).toBe('')
    },
  )
})
