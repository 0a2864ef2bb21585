import { describe, expect, it } from 'vitest'
import { createClock } from '#mock/platform/clock.ts'
import { createRequest } from './shipping.builder.ts'
import { createShippingWorld } from './shipping.world.ts'

const noon = Date.UTC(2027, 4, 18, 12, 30)

function openWorld(now = noon) {
  const clock = createClock(() => now)
  return { clock, world: createShippingWorld({ clock }) }
}

describe('the shipping world', () => {
  it('finds a shipment by its reference and by its numbers', () => {
    const { world } = openWorld()
    const request = createRequest({ OrderNumber: 'OD-7-1' })
    const shipment = world.createShipment(request)
    expect(shipment).toMatchObject({
      reference: 'OD-7-1',
      request,
      createdAtMs: noon,
      createdAt: ['2027-05-18T12:30:00.000Z'],
    })
    expect(world.findShipments('OD-7-1')).toEqual([shipment])
    expect(world.findShipments(shipment.awb)).toEqual([shipment])
    expect(world.findByNumber(shipment.awb)).toEqual(shipment)
    expect(world.findByNumber(shipment.sawb)).toEqual(shipment)
    expect(world.listShipments()).toEqual([shipment])
  })

  it('finds nothing under an unknown reference', () => {
    const { world } = openWorld()
    world.createShipment(createRequest())
    expect(world.findShipments('OD-999-1')).toEqual([])
    expect(world.findByNumber('000000000000')).toBeUndefined()
  })

  it('makes a second shipment with another AWB for a known reference, and lists both creations', () => {
    const { world, clock } = openWorld()
    const first = world.createShipment(createRequest())
    clock.advance(60_000)
    const second = world.createShipment(createRequest())
    expect(second.awb).not.toBe(first.awb)
    const found = world.findShipments('OD-42-1')
    expect(found.map(({ awb }) => awb)).toEqual([first.awb, second.awb])
    for (const { createdAt } of found)
      expect(createdAt).toEqual(['2027-05-18T12:30:00.000Z', '2027-05-18T12:31:00.000Z'])
  })

  it('gives every piece a number of its own, none of them the number of the shipment', () => {
    const { world } = openWorld()
    const { awb, awbs, sawb } = world.createShipment(createRequest({ Parcels: 3 }))
    expect(awbs).toHaveLength(3)
    expect(awbs[0]).toBe(awb)
    expect(new Set([...awbs, sawb]).size).toBe(4)
    for (const number of [...awbs, sawb]) expect(number).toMatch(/^\d{12}$/)
  })

  it('lists the newest shipment first', () => {
    const { world } = openWorld()
    world.createShipment(createRequest({ OrderNumber: 'OD-1-1' }))
    world.createShipment(createRequest({ OrderNumber: 'OD-2-1' }))
    expect(world.listShipments().map(({ reference }) => reference)).toEqual(['OD-2-1', 'OD-1-1'])
  })

  it('counts shipments, labels and lookups', () => {
    const { world } = openWorld()
    world.createShipment(createRequest())
    world.createShipment(createRequest())
    world.countLabels(2)
    world.countLookup()
    expect(world.counters()).toEqual({ shipments: 2, labels: 2, lookups: 1 })
  })

  it('is empty after a reset and issues no number twice', () => {
    const { world } = openWorld()
    const before = [1, 2, 3].map(() => world.createShipment(createRequest()).awb)
    world.countLabels(1)
    world.countLookup()
    world.reset()
    expect(world.listShipments()).toEqual([])
    expect(world.findShipments('OD-42-1')).toEqual([])
    expect(world.counters()).toEqual({ shipments: 0, labels: 0, lookups: 0 })
    const after = [1, 2, 3].map(() => world.createShipment(createRequest()).awb)
    expect(new Set([...before, ...after]).size).toBe(6)
  })

  it('starts above its former numbers when it is restarted a second later without a snapshot', () => {
    const former = openWorld().world
    const numbers = Array.from({ length: 200 }, () => former.createShipment(createRequest()).awbs).flat()
    const next = openWorld(noon + 1000).world.createShipment(createRequest())
    expect(numbers.every((number) => number < next.sawb)).toBe(true)
  })

  describe('snapshot', () => {
    it('restores shipments, counters and numbering from JSON', () => {
      const { world } = openWorld()
      world.createShipment(createRequest({ Parcels: 2 }))
      world.createShipment(createRequest())
      world.countLabels(3)
      world.countLookup()
      const text = JSON.stringify(world.snapshot())

      // Started again within the same millisecond: only the snapshot keeps the numbers apart.
      const restarted = openWorld().world
      restarted.restore(JSON.parse(text))
      expect(restarted.listShipments()).toEqual(world.listShipments())
      expect(restarted.counters()).toEqual(world.counters())
      const known = new Set(world.listShipments().flatMap(({ awbs, sawb }) => [...awbs, sawb]))
      const { awb, sawb } = restarted.createShipment(createRequest())
      expect(known.has(awb) || known.has(sawb)).toBe(false)
    })

    it('is not changed by what happens afterwards', () => {
      const { world } = openWorld()
      const snapshot = world.snapshot()
      world.createShipment(createRequest())
      world.restore(snapshot)
      expect(world.listShipments()).toEqual([])
    })

    it.each([
      [undefined],
      [null],
      [{}],
      [{ nextNumber: 1, labels: 0, lookups: 0, shipments: [{ awb: '1' }] }],
    ])('refuses %j and leaves the state unchanged', (state) => {
      const { world } = openWorld()
      world.createShipment(createRequest())
      expect(() => world.restore(state)).toThrow('not a snapshot')
      expect(world.listShipments()).toHaveLength(1)
    })
  })
})
