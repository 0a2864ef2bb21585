import { describe, expect, it } from 'vitest'
import { arrivedAt, handedOverAt } from './bag-times.rules.ts'
import type { BookingEvent, TravelState } from './travel.schemas.ts'

const hour = 60 * 60_000
const now = Date.parse('2027-05-28T09:00:00Z')
const event = (
  kind: BookingEvent['kind'],
  ago: number,
  source: BookingEvent['source'] = 'courier',
): BookingEvent => ({ kind, source, at: new Date(now - ago * hour).toISOString() })
const taken = (ago: number) => event('handed-over', ago, 'agent')

describe('the hand-over', () => {
  it.each([
    ['the agent took it', [taken(5), event('picked-up', 4)], 5],
    ['the courier saw it, before the agent recorded it', [event('picked-up', 9), taken(5)], 9],
    ['only the courier saw it', [event('picked-up', 3)], 3],
  ])('counts from when %s', (_, events, ago) => {
    expect(handedOverAt({ state: 'IN_TRANSIT', events })).toBe(now - ago * hour)
  })

  it('is none while the owner has the bag', () => {
    expect(handedOverAt({ state: 'READY', events: [taken(5)] })).toBeUndefined()
  })
})

describe('the arrival', () => {
  const arrivedHoursAgo = (events: readonly BookingEvent[], state: TravelState = 'AT_BRANCH') => {
    const at = arrivedAt({ state, events: [...events] })
    return at === undefined ? undefined : (now - at) / hour
  }

  it.each([
    ['is the first scan of the branch', [event('in-transit', 9), event('at-branch', 8)], 8],
    [
      'is no later scan of the same branch',
      [event('in-transit', 9), event('at-branch', 8), event('exception', 5), event('at-branch', 2)],
      8,
    ],
    [
      'is that at the last branch',
      [event('in-transit', 9), event('at-branch', 8), event('in-transit', 5), event('at-branch', 2)],
      2,
    ],
    [
      'is not the counter where the bag was dropped',
      [event('at-branch', 20), event('in-transit', 9), event('at-branch', 8)],
      8,
    ],
    ['may have the time of the last movement', [event('at-branch', 8), event('in-transit', 8)], 8],
  ])('%s', (_, events, ago) => {
    expect(arrivedHoursAgo(events)).toBe(ago)
  })

  it('is none of a bag that is not at its branch', () => {
    expect(arrivedHoursAgo([event('in-transit', 9), event('at-branch', 8)], 'COLLECTED')).toBeUndefined()
  })
})
