import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#shared/config/config.operations.ts'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { issuedAwb, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'
import { metricsOf } from '#test/kit/metrics.ts'

/** The whole way of a scan: simulator, push or poll, gateway, the owner's order. */

let stack: InProcessStack
let pilgrim: Pilgrim

beforeAll(async () => {
  // The shortest interval: bags are asked about every 15 s at the latest.
  stack = await ownStack({ env: { TRACKING_POLL_INTERVAL: '5s', TRACKING_SILENCE_HOURS: '12' } })
  pilgrim = await signedUpPilgrim(stack)
})
afterEach(() => stack?.control.endFaults())
afterAll(() => stack?.close())

interface Bag {
  readonly orderId: number
  readonly awb: string
}

async function issuedBag(): Promise<Bag> {
  const orderId = await paidOrder(stack, pilgrim)
  return { orderId, awb: await issuedAwb(pilgrim.person, orderId) }
}

async function bookingOf({ orderId }: Bag) {
  const [booking] = (await pilgrim.person.order(orderId)).bookings
  if (!booking) throw new Error('the order has a booking')
  return booking
}

const becomes = (bag: Bag, state: TravelState) =>
  eventually(async () => {
    if ((await bookingOf(bag)).state === state) return true
    return stack.passTime(5_000)
  })

describe('pushes', () => {
  it('bring every step of a bag to its owner, each with its time and city', async () => {
    const bag = await issuedBag()
    const states: unknown[] = []
    for (const to of ['picked-up', 'in-transit', 'at-branch', 'exception', 'collected'] as const) {
      const { pushes } = await stack.control.advance(bag.awb, { to })
      expect(pushes.map(({ status }) => status)).toEqual([200])
      states.push((await bookingOf(bag)).state)
    }
    expect(states).toEqual(['IN_TRANSIT', 'IN_TRANSIT', 'AT_BRANCH', 'EXCEPTION', 'COLLECTED'])
    const { events, lastEventAt } = await bookingOf(bag)
    expect(events.map(({ code }) => code)).toEqual(['PU', 'HOP', 'AF', 'CC', 'DE', 'DL'])
    expect(events.every(({ source, place }) => source === 'courier' && place !== undefined)).toBe(true)
    expect(lastEventAt).toBe(events.at(-1)?.at)
    expect(JSON.stringify(events)).not.toContain(pilgrim.user.name)
  })

  it('that come twice, shuffled or with several scans leave one event for each scan', async () => {
    const bag = await issuedBag()
    await stack.control.advance(bag.awb, { to: 'in-transit', push: 'twice' })
    await stack.control.advance(bag.awb, { to: 'at-branch', push: 'shuffle' })
    await stack.control.advance(bag.awb, { to: 'collected', push: 'shuffle' })
    const { state, events } = await bookingOf(bag)
    expect(state).toBe('COLLECTED')
    expect(events.map(({ code }) => code)).toEqual(['PU', 'HOP', 'AF', 'CC', 'DL'])
  })

  it('with an unknown code, or from a counter of another city, are shown and are no step', async () => {
    const bag = await issuedBag()
    await stack.control.advance(bag.awb, { to: 'picked-up' })
    await stack.control.advance(bag.awb, { scan: { code: 'ZZ9', text: 'Weighed', zone: null } })
    await stack.control.advance(bag.awb, { scan: { code: 'CC', city: 'Taif' } })
    await stack.control.advance(bag.awb, { scan: { code: 'RTOPS', text: 'Collected from Retail' } })
    const { state, events } = await bookingOf(bag)
    expect(state).toBe('IN_TRANSIT')
    expect(events.map(({ kind }) => kind).toSorted()).toEqual([
      'in-transit',
      'picked-up',
      'unknown',
      'unknown',
    ])
  })
})

describe('polling', () => {
  it('finds what a lost push did not bring', async () => {
    const bag = await issuedBag()
    await stack.control.advance(bag.awb, { to: 'picked-up' })
    await stack.control.advance(bag.awb, { to: 'at-branch', push: 'lose' })
    expect((await bookingOf(bag)).state).toBe('IN_TRANSIT')
    await becomes(bag, 'AT_BRANCH')
  })

  it('continues when the courier is back, and issues airway bills meanwhile', async () => {
    const bag = await issuedBag()
    await stack.control.setFault('tracking', { kind: 'status', status: 503 })
    await stack.control.advance(bag.awb, { to: 'in-transit', push: 'lose' })
    const failed = async () =>
      (await metricsOf([stack.gatewayUrl])).get('amtiati_tracking_polls_total{outcome="failed"}') ?? 0
    await eventually(async () => ((await failed()) > 0 ? true : stack.passTime(5_000)))
    expect((await bookingOf(await issuedBag())).awb).not.toBeNull()
    await stack.control.endFaults()
    await becomes(bag, 'IN_TRANSIT')
  })

  it('fetches the courier’s texts once', async () => {
    await eventually(async () => ((await stack.control.trackingCalls()).statuses > 0 ? true : undefined), {
      withinMs: 60_000,
    })
    expect((await stack.control.trackingCalls()).statuses).toBe(1)
  })
})

it('the journey mode plays a bag’s days', async () => {
  const bag = await issuedBag()
  await stack.control.setJourney(0.05)
  await becomes(bag, 'COLLECTED')
  await stack.control.setJourney(0)
  expect((await bookingOf(bag)).events.map(({ code }) => code)).toEqual(['PU', 'HOP', 'AF', 'CC', 'DL'])
})

it('the browser learns after how many hours silence is told', async () => {
  expect((await pilgrim.person.call(readConfig)).tracking).toEqual({ silenceHours: 12 })
})
