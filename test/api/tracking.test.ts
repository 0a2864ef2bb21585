import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TravelState } from '#shared/orders/travel.schemas.ts'
import { issuedAwb, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'

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
})

describe('polling', () => {
  it('finds what a lost push did not bring', async () => {
    const bag = await issuedBag()
    await stack.control.advance(bag.awb, { to: 'picked-up' })
    await stack.control.advance(bag.awb, { to: 'at-branch', push: 'lose' })
    expect((await bookingOf(bag)).state).toBe('IN_TRANSIT')
    await becomes(bag, 'AT_BRANCH')
  })
})
