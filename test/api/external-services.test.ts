import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readLabel } from '#shared/orders/orders.operations.ts'
import { type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import type { Fault } from '#test/kit/control.ts'
import { eventually } from '#test/kit/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack()
})
afterEach(() => stack?.control.endFaults())
afterAll(() => stack?.close())

/** Failures that end a call at once. A hanging service is tested once, because each call lasts until its time-out. */
const quickFaults: [string, Fault][] = [
  ['answers 500', { kind: 'status', status: 500 }],
  ['answers 503', { kind: 'status', status: 503 }],
  ['answers 429', { kind: 'status', status: 429 }],
  ['cuts the connection', { kind: 'reset' }],
  ['answers nonsense', { kind: 'garbage' }],
  ['does the work and loses the answer', { kind: 'lose-answer' }],
]

describe('the shipping partner fails', () => {
  const orders = new Map<string, number>()
  let pilgrim: Pilgrim

  // All orders wait for their next try together.
  beforeAll(async () => {
    pilgrim = await signedUpPilgrim(stack)
    await Promise.all([pilgrim.person.agents(), pilgrim.person.centers()])
    for (const [how, fault] of quickFaults) {
      await stack.control.setFault('shipping', { ...fault, count: 1 })
      orders.set(how, await paidOrder(stack, pilgrim))
      await eventually(async () => ((await stack.control.faults()).shipping === undefined ? true : undefined))
    }
  })

  it.each(quickFaults)(
    'and %s: the order is paid nevertheless, and gets exactly one airway bill',
    async (how) => {
      const orderId = orders.get(how) ?? 0
      expect((await pilgrim.person.order(orderId)).status).toBe('PAID')
      // After a dropped connection a shipment is created again only when the first creation must have ended and would be
      // found by a look-up.
      const awb = await eventually(async () => {
        await stack.passTime(5_000)
        return (await pilgrim.person.order(orderId)).bookings[0]?.awb ?? undefined
      })
      await eventually(async () => (await pilgrim.person.call(readLabel, { params: { awb } })).awbFile)
      expect((await pilgrim.person.order(orderId)).status).toBe('PAID')
      const made = (await stack.control.shipments()).filter((shipment) => shipment.awb === awb)
      expect(made.flatMap(({ createdAt }) => createdAt)).toHaveLength(1)
    },
  )

  it('and leaves no shipment without an order', async () => {
    const known = (await pilgrim.person.orders(pilgrim.user.id)).flatMap(({ bookings }) =>
      bookings.map(({ awb }) => awb),
    )
    const made = (await stack.control.shipments()).map(({ awb }) => awb)
    expect(made.filter((awb) => !known.includes(awb))).toEqual([])
    expect(made).toHaveLength(quickFaults.length)
  })
})
