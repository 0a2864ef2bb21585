import { describe, expect, it } from 'vitest'
import { createClock } from '#mock/platform/clock.ts'
import { createRequest } from './shipping.builder.ts'
import { createShippingState } from './shipping.state.ts'

const noon = Date.UTC(2027, 4, 18, 12, 30)

function openState(now = noon) {
  const clock = createClock(() => now)
  return { clock, state: createShippingState({ clock }) }
}

describe('the shipping state', () => {
  it('finds a shipment by its reference and by its numbers', () => {
    const { state } = openState()
    const request = createRequest({ OrderNumber: 'OD-7-1' })
    const shipment = state.createShipment(request)
    expect(shipment).toMatchObject({
      reference: 'OD-7-1',
      request,
      createdAtMs: noon,
      createdAt: ['2027-05-18T12:30:00.000Z'],
    })
    expect(state.findShipments('OD-7-1')).toEqual([shipment])
    expect(state.findShipments(shipment.awb)).toEqual([shipment])
    expect(state.findByNumber(shipment.awb)).toEqual(shipment)
    expect(state.findByNumber(shipment.sawb)).toEqual(shipment)
    expect(state.listShipments()).toEqual([shipment])
  })

  it('finds nothing under an unknown reference', () => {
    const { state } = openState()
    state.createShipment(createRequest())
    expect(state.findShipments('OD-999-1')).toEqual([])
    expect(state.findByNumber('000000000000')).toBeUndefined()
  })

  it('makes a second shipment with another AWB for a known reference, and lists both creations', () => {
    const { state, clock } = openState()
    const first = state.createShipment(createRequest())
    clock.advance(60_000)
    const second = state.createShipment(createRequest())
    expect(second.awb).not.toBe(first.awb)
    const found = state.findShipments('OD-42-1')
    expect(found.map(({ awb }) => awb)).toEqual([first.awb, second.awb])
    for (const { createdAt } of found)
      expect(createdAt).toEqual(['2027-05-18T12:30:00.000Z', '2027-05-18T12:31:00.000Z'])
  })

  it('gives every piece a number of its own, none of them the number of the shipment', () => {
    const { state } = openState()
    const { awb, awbs, sawb } = state.createShipment(createRequest({ Parcels: 3 }))
    expect(awbs).toHaveLength(3)
    expect(awbs[0]).toBe(awb)
    expect(new Set([...awbs, sawb]).size).toBe(4)
    for (const number of [...awbs, sawb]) expect(number).toMatch(/^\d{12}$/)
  })

  it('lists the newest shipment first', () => {
    const { state } = openState()
    state.createShipment(createRequest({ OrderNumber: 'OD-1-1' }))
    state.createShipment(createRequest({ OrderNumber: 'OD-2-1' }))
    expect(state.listShipments().map(({ reference }) => reference)).toEqual(['OD-2-1', 'OD-1-1'])
  })

  it('counts shipments, labels and lookups', () => {
    const { state } = openState()
    state.createShipment(createRequest())
    state.createShipment(createRequest())
    state.countLabels(2)
    state.countLookup()
    expect(state.counters()).toEqual({ shipments: 2, labels: 2, lookups: 1 })
  })

  it('is empty after a reset and issues no number twice', () => {
    const { state } = openState()
    const before = [1, 2, 3].map(() => state.createShipment(createRequest()).awb)
    state.countLabels(1)
    state.countLookup()
    state.reset()
    expect(state.listShipments()).toEqual([])
    expect(state.findShipments('OD-42-1')).toEqual([])
    expect(state.counters()).toEqual({ shipments: 0, labels: 0, lookups: 0 })
    const after = [1, 2, 3].map(() => state.createShipment(createRequest()).awb)
    expect(new Set([...before, ...after]).size).toBe(6)
  })

  it('starts above its former numbers when it is restarted a second later without a snapshot', () => {
    const former = openState().state
    const numbers = Array.from({ length: 200 }, () => former.createShipment(createRequest()).awbs).flat()
    const next = openState(noon + 1000).state.createShipment(createRequest())
    expect(numbers.every((number) => number < next.sawb)).toBe(true)
  })

  describe('snapshot', () => {
    it('restores shipments, counters and numbering from JSON', () => {
      const { state } = openState()
      state.createShipment(createRequest({ Parcels: 2 }))
      state.createShipment(createRequest())
      state.countLabels(3)
      state.countLookup()
      const text = JSON.stringify(state.snapshot())

      // Started again within the same millisecond: only the snapshot keeps the numbers apart.
      const restarted = openState().state
      restarted.restore(JSON.parse(text))
      expect(restarted.listShipments()).toEqual(state.listShipments())
      expect(restarted.counters()).toEqual(state.counters())
      const known = new Set(state.listShipments().flatMap(({ awbs, sawb }) => [...awbs, sawb]))
      const { awb, sawb } = restarted.createShipment(createRequest())
      expect(known.has(awb) || known.has(sawb)).toBe(false)
    })
  })
})
