import { expect, it } from 'vitest'
import { createClock } from '#mock/platform/clock.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'
import { createShippingState } from './shipping.state.ts'

const noon = Date.UTC(2027, 4, 18, 12, 30)
const openState = (now = noon) => createShippingState({ clock: createClock(() => now) })

it('issues no number twice: after a reset, after a restart without a snapshot, and after one within the same millisecond', () => {
  const state = openState()
  const create = () => state.createShipment(createRequest({ Parcels: 2 }))
  const before = [create(), create(), create()]
  const restarted = openState()
  restarted.restore(JSON.parse(JSON.stringify(state.snapshot())))
  expect(restarted.listShipments()).toEqual(state.listShipments())
  state.reset()
  expect(state.listShipments()).toEqual([])

  const numbersOf = (shipments: typeof before) => shipments.flatMap(({ awbs, sawb }) => [...awbs, sawb])
  const known = new Set(numbersOf(before))
  for (const next of [state, restarted, openState(noon + 1000)]) {
    const later = numbersOf([next.createShipment(createRequest())])
    expect(later.filter((number) => known.has(number))).toEqual([])
  }
})
