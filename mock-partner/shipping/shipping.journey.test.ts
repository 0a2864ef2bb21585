import { beforeEach, describe, expect, it } from 'vitest'
import { type Clock, createClock } from '#mock/platform/clock.ts'
import { createScheduler, type Scheduler } from '#mock/platform/scheduler.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'
import { createJourneys, type Journeys } from './shipping.journey.ts'
import { createShippingState, type ShipmentRecord, type ShippingState } from './shipping.state.ts'

const minuteMs = 60_000

let clock: Clock
let scheduler: Scheduler
let state: ShippingState
let journeys: Journeys
let shipment: ShipmentRecord
let reported: string[]

beforeEach(() => {
  clock = createClock(() => Date.UTC(2027, 4, 18, 12, 30))
  scheduler = createScheduler(clock, () => () => {})
  state = createShippingState({ clock })
  reported = []
  journeys = createJourneys({ state, scheduler })
  journeys.onScans((_, scans) => void reported.push(...scans.map(({ ScanType }) => ScanType)))
  shipment = state.createShipment(createRequest())
})

const codes = () => journeys.scansOf(shipment).map(({ ScanType }) => ScanType)

describe('a journey on demand', () => {
  it('has the scans between, a second apart', () => {
    journeys.advance(shipment, 'at-branch')
    expect(codes()).toEqual(['PU', 'HOP', 'AF', 'CC'])
    expect(journeys.scansOf(shipment).map(({ ScanDateTime }) => ScanDateTime)).toEqual([
      '2027-05-18T15:29:57',
      '2027-05-18T15:29:58',
      '2027-05-18T15:29:59',
      '2027-05-18T15:30:00',
    ])
  })

  it('goes one station further without a step, and ends with the collection', () => {
    for (const expected of ['PU', 'HOP', 'AF', 'CC', 'DL'])
      expect(journeys.advance(shipment)?.map(({ ScanType }) => ScanType)).toEqual([expected])
    expect(journeys.advance(shipment)).toBeUndefined()
  })

  it('scans a step behind it once more, as a scan of its own', () => {
    journeys.advance(shipment, 'at-branch')
    journeys.advance(shipment, 'at-branch')
    journeys.advance(shipment, 'picked-up')
    expect(codes()).toEqual(['PU', 'HOP', 'AF', 'CC', 'CC', 'PU'])
    expect(new Set(journeys.scansOf(shipment).map((scan) => JSON.stringify(scan))).size).toBe(6)
  })

  it('meets an exception after it was picked up, and goes on', () => {
    journeys.advance(shipment, 'exception')
    journeys.advance(shipment, 'collected')
    expect(codes()).toEqual(['PU', 'DE', 'HOP', 'AF', 'CC', 'DL'])
  })

  it('takes any scan, without a zone too', () => {
    journeys.addScan(shipment, { code: 'ZZ9', zone: null })
    expect(journeys.scansOf(shipment)).toEqual([
      { City: 'Riyadh', ScanType: 'ZZ9', ScanDateTime: '2027-05-18T15:30:00' },
    ])
  })
})

describe('a restart', () => {
  it('continues the journeys and the pace', async () => {
    journeys.setPace(1)
    journeys.advance(shipment, 'picked-up')
    const kept = JSON.parse(JSON.stringify(journeys.snapshot()))
    journeys.reset()
    expect(codes()).toEqual([])
    journeys.restore(kept)
    expect(codes()).toEqual(['PU'])
    clock.advance(3 * minuteMs)
    await scheduler.wake()
    expect(codes()).toEqual(['PU', 'HOP', 'AF', 'CC', 'DL'])
  })
})
