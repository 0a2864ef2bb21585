import { describe, expect, it } from 'vitest'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { isOver, sharedBookingOf } from './shares.rules.ts'

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
      ...{ kind: 'not-accepted', at: '2027-05-18T09:00:00.000Z', place: 'Agent Salem', source: 'agent' },
      ...{ code: 'forbidden', text: 'Maryam' },
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
    expect(sharedBookingOf(booking)).toEqual({
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

  it('has no name, phone, number, address or text of the courier', () => {
    const shown = JSON.stringify(sharedBookingOf(booking))
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
    expect(sharedBookingOf(given).lastEventAt).toBe(at('10:05'))
  })
})

describe('the end of a link', () => {
  const day = 24 * 60 * 60_000
  const collectedAt = Date.parse('2027-05-20T10:00:00.000Z')

  it('is seven days after the last bag was collected', () => {
    expect(isOver([booking], collectedAt + 7 * day - 1)).toBe(false)
    expect(isOver([booking], collectedAt + 7 * day)).toBe(true)
  })

  it('does not come while a bag is on its way', () => {
    const moving = { ...booking, state: 'IN_TRANSIT' as const, events: [] }
    expect(isOver([booking, moving], collectedAt + 400 * day)).toBe(false)
    expect(isOver([], collectedAt)).toBe(false)
  })
})
