import { describe, expect, it } from 'vitest'
import { daysOfBags, presentDays } from './bag-days.rules.ts'
import type { Booking, Order } from './orders.schemas.ts'
import type { BookingEvent, TravelState } from './travel.schemas.ts'

const at = '2027-05-18T12:00:00Z'
const handover: BookingEvent = { kind: 'handed-over', source: 'agent', at }
const scan = (kind: BookingEvent['kind'], day: number): BookingEvent => ({
  kind,
  source: 'courier',
  at: `2027-05-${day}T12:00:00Z`,
})
const arrival = [handover, scan('in-transit', 19), scan('at-branch', 21)]
const promises = {
  transitDays: { RUH: [2, 4], default: [3, 6] },
  handInUntil: '2027-05-20',
  storageDays: 7,
  lateAfterDays: 8,
} satisfies NonNullable<Order['promises']>
const bagIn = (state: TravelState, ...events: BookingEvent[]): Booking => ({
  awb: '290012345678',
  origin: { city: 'Mina', coordinates: null },
  destination: { city: 'Riyadh', coordinates: null },
  state,
  lastEventAt: events.at(-1)?.at ?? null,
  events,
})
const noon = (day: number) => Date.parse(`2027-05-${day}T09:00:00Z`)
const daysOf = (bag: Booking, now = noon(19), changes: Partial<Order> = {}) =>
  daysOfBags({ type: 'FROM_MINA', promises, bookings: [bag], ...changes }, now)[0]

describe('days of a bag', () => {
  it('are its transit and the last day of handing in, while its owner has it', () => {
    const days = { transit: [2, 4], handInUntil: '2027-05-20' }
    expect(daysOf(bagIn('READY'))).toEqual(days)
    expect(daysOf(bagIn('AWAITING_LABEL'))).toEqual(days)
  })

  it.each(['HANDED_OVER', 'IN_TRANSIT'] as const)('are those of its arrival while it is %s', (state) => {
    expect(daysOf(bagIn(state, handover))).toEqual({ arrives: ['2027-05-20', '2027-05-22'] })
  })

  it('are none of the arrival where an obstacle holds it up', () => {
    expect(daysOf(bagIn('EXCEPTION', handover, scan('exception', 19)))).toEqual({})
  })

  it.each(['HANDED_OVER', 'IN_TRANSIT', 'EXCEPTION'] as const)(
    'say when it was due from the day on which it is late, while it is %s',
    (state) => {
      const bag = bagIn(state, handover)
      expect(daysOf(bag, noon(26))?.wasDue).toBeUndefined()
      expect(daysOf(bag, noon(27))?.wasDue).toBe('2027-05-22')
      // Without days of its arrival the last day on which it was not late.
      const withoutDays = { promises: { ...promises, transitDays: {} } }
      expect(daysOf(bag, noon(27), withoutDays)).toEqual({ wasDue: '2027-05-26' })
      expect(daysOf(bag, noon(31), { promises: { transitDays: {} } })).toEqual({})
    },
  )

  it('call no bag late that has arrived, or that is brought back', () => {
    const uncollected = bagIn('EXCEPTION', handover, ...arrival, scan('exception', 23))
    const returning = bagIn('EXCEPTION', handover, scan('in-transit', 19), scan('returning', 20))
    for (const bag of [uncollected, returning]) expect(daysOf(bag, noon(31))).toEqual({})
  })

  it('name a last day of handing in only where an agent takes the bag', () => {
    expect(daysOf(bagIn('READY'), noon(19), { type: 'TO_MINA' })).toEqual({ transit: [3, 6] })
  })

  it('are until when its branch keeps it, from its arrival, and nothing where it waits at an agent', () => {
    const bag = bagIn('AT_BRANCH', ...arrival)
    expect(daysOf(bag)).toEqual({ keptUntil: '2027-05-28' })
    expect(daysOf(bag, noon(19), { type: 'TO_MINA' })).toEqual({})
    expect(daysOf(bag, noon(19), { promises: { transitDays: {} } })).toEqual({})
  })

  it.each(['COLLECTED', 'CANCELLED'] as const)('are none once it is %s', (state) => {
    expect(daysOf(bagIn(state, ...arrival), noon(31))).toEqual({})
  })

  it('do not hold once they are past', () => {
    const days = { handInUntil: '2027-05-20', keptUntil: '2027-05-21' }
    const both = (day: number) => {
      const { handInUntil, keptUntil } = presentDays(days, noon(day))
      return [handInUntil, keptUntil]
    }
    expect(both(20)).toEqual(['2027-05-20', '2027-05-21'])
    expect(both(21)).toEqual([undefined, '2027-05-21'])
    expect(both(22)).toEqual([undefined, undefined])
  })

  it('are by the city at the far end of its leg', () => {
    const there = {
      ...bagIn('READY'),
      origin: { city: 'Riyadh', coordinates: null },
      destination: { city: 'Mina', coordinates: null },
    }
    const both = daysOfBags(
      { type: 'TO_AND_FROM_MINA', promises, bookings: [there, bagIn('READY')] },
      noon(19),
    )
    expect(both.map(({ transit }) => transit)).toEqual([
      [2, 4],
      [2, 4],
    ])
  })

  it('are none of an order of an earlier build, which kept no promises', () => {
    for (const bag of [bagIn('READY'), bagIn('IN_TRANSIT', handover), bagIn('AT_BRANCH', ...arrival)])
      expect(daysOfBags({ type: 'FROM_MINA', bookings: [bag] }, noon(31))).toEqual([{}])
  })
})
