import { describe, expect, it } from 'vitest'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { hasLinkEnded, sharedBookingOf } from './shares.rules.ts'

const booking: Booking = {
  awb: '231200021879',
  receiver: 'Maryam Al-Harbi',
  origin: {
    name: 'Agent Salem',
    address: 'Street 204, Mina',
    city: 'Makkah',
    phone: '+966500000101',
    coordinates: { latitude: 21.4, longitude: 39.9 },
  },
  destination: { addressAR: 'حي العليا', addressEN: 'Olaya 12', city: 'Riyadh', coordinates: null },
  state: 'COLLECTED',
  lastEventAt: '2027-05-20T10:00:00.000Z',
  events: [
    {
      kind: 'not-accepted',
      at: '2027-05-18T09:00:00.000Z',
      place: 'Agent Salem',
      source: 'agent',
      code: 'forbidden',
      text: 'Maryam',
    },
    { kind: 'handed-over', at: '2027-05-18T10:00:00.000Z', place: 'Agent Salem', source: 'agent' },
    {
      kind: 'in-transit',
      at: '2027-05-19T10:00:00.000Z',
      place: 'Jeddah',
      source: 'courier',
      code: 'HOP',
      text: 'Departed for Maryam',
    },
    { kind: 'unknown', at: '2027-05-19T11:00:00.000Z', place: 'Gate 0501234567', source: 'courier' },
    { kind: 'collected', at: '2027-05-20T10:00:00.000Z', place: 'Riyadh', source: 'courier', text: 'Maryam' },
  ],
}

describe('what a link shows', () => {
  it('is state, times and cities, in this shape and no other', () => {
    expect(sharedBookingOf(booking, {})).toEqual({
      state: 'COLLECTED',
      lastEventAt: '2027-05-20T10:00:00.000Z',
      events: [
        { kind: 'handed-over', at: '2027-05-18T10:00:00.000Z', place: 'Makkah', source: 'agent' },
        { kind: 'in-transit', at: '2027-05-19T10:00:00.000Z', place: 'Jeddah', source: 'courier' },
        { kind: 'unknown', at: '2027-05-19T11:00:00.000Z', source: 'courier' },
        { kind: 'collected', at: '2027-05-20T10:00:00.000Z', place: 'Riyadh', source: 'courier' },
      ],
      origin: { city: 'Makkah' },
      destination: { city: 'Riyadh' },
    })
  })

  it('has the promised days of its bag, and no other promise', () => {
    const shown = sharedBookingOf(booking, {
      arrives: ['2027-05-20', '2027-05-22'],
      keptUntil: '2027-05-28',
      transit: [2, 4],
      handInUntil: '2027-05-19',
      wasDue: '2027-05-22',
    })
    const { arrives, keptUntil, ...others } = shown
    expect(arrives).toEqual({ first: '2027-05-20', last: '2027-05-22' })
    expect(keptUntil).toBe('2027-05-28')
    expect(others).toEqual(sharedBookingOf(booking, {}))
  })

  it('has no name, phone, number, address or text of the courier', () => {
    const shown = JSON.stringify(sharedBookingOf(booking, {}))
    for (const hidden of ['Maryam', 'Salem', '231200021879', '9665', '0501', 'Olaya', '204', '21.4', 'HOP'])
      expect(shown).not.toContain(hidden)
  })

  it('does not tell when the agent refused a bag that was given back', () => {
    const at = (time: string) => `2027-05-18T${time}:00.000Z`
    const events: Booking['events'] = [
      { kind: 'handed-over', at: at('10:00'), source: 'agent' },
      { kind: 'hand-over-undone', at: at('10:05'), source: 'agent' },
      { kind: 'not-accepted', at: at('10:07'), source: 'agent', code: 'forbidden' },
    ]
    const given = { ...booking, state: 'READY' as const, lastEventAt: at('10:07'), events }
    expect(sharedBookingOf(given, {}).lastEventAt).toBe(at('10:05'))
  })
})

describe('the end of a link', () => {
  const day = 24 * 60 * 60_000
  const at = '2027-05-20T10:00:00.000Z'
  const creationDate = '2027-03-01T10:00:00.000Z'
  const orderOf = (...bookings: Booking[]) => ({ creationDate, bookings })
  const daysLater = (days: number) => Date.parse(at) + days * day
  const bagIn = (state: Booking['state'], events: Booking['events'] = []): Booking => ({
    ...booking,
    state,
    lastEventAt: at,
    events,
  })
  const cancelled = { kind: 'cancelled', at, source: 'system' } as const

  /** Days after the last event of the bag; undefined: the order has not ended. */
  const ends = {
    AWAITING_LABEL: undefined,
    READY: undefined,
    HANDED_OVER: 30,
    IN_TRANSIT: 30,
    AT_BRANCH: 30,
    EXCEPTION: 30,
    CANCELLED: 30,
    COLLECTED: 7,
  } as const satisfies Record<TravelState, number | undefined>

  it.each(Object.entries(ends))('of a bag that is %s comes after %s days', (state, days) => {
    const bag = bagIn(state as TravelState, [{ kind: 'collected', at, source: 'courier' }])
    const order = orderOf(bag)
    expect(hasLinkEnded(order, daysLater(days ?? 400) - 1)).toBe(false)
    expect(hasLinkEnded(order, daysLater(days ?? 400))).toBe(days !== undefined)
  })

  it('counts from the cancellation, whatever the courier scans later', () => {
    const bag = { ...bagIn('CANCELLED', [cancelled]), lastEventAt: '2027-07-01T10:00:00.000Z' }
    expect(hasLinkEnded(orderOf(bag), daysLater(30))).toBe(true)
  })

  it('counts from the creation of a refunded order whose cancellation was not recorded', () => {
    const bag = { ...bagIn('CANCELLED'), lastEventAt: null }
    expect(hasLinkEnded(orderOf(bag), Date.parse(creationDate) + 30 * day - 1)).toBe(false)
    expect(hasLinkEnded(orderOf(bag), Date.parse(creationDate) + 30 * day)).toBe(true)
  })

  it('is decided by the last bag', () => {
    const collected = bagIn('COLLECTED', [{ kind: 'collected', at, source: 'courier' }])
    expect(hasLinkEnded(orderOf(collected, bagIn('EXCEPTION')), daysLater(29))).toBe(false)
    expect(hasLinkEnded(orderOf(collected, bagIn('EXCEPTION')), daysLater(30))).toBe(true)
    expect(hasLinkEnded(orderOf(collected, bagIn('READY')), daysLater(400))).toBe(false)
    expect(hasLinkEnded(orderOf(), daysLater(400))).toBe(false)
  })
})
