import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoKeyHeader, readDemoOrder } from '#shared/demo/demo.operations.ts'
import type { DemoOrder } from '#shared/demo/demo.schemas.ts'
import {
  issuedAwb,
  newPhone,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { newPerson } from '#test/kit/person.ts'
import { demoKey, type ProcessStack, startStack } from '#test/kit/stack.ts'

/** Simulator and gateway as testers see and change them: an order as a whole, and both sides together. */

let stack: ProcessStack
let pilgrim: Pilgrim
let orderId: number
let awb: string

beforeAll(async () => {
  stack = await startStack({ isOneWorld: true, env: { MESSAGES_ENABLED: 'true' } })
  pilgrim = await signedUpPilgrim(stack, { name: 'Maryam Tester' })
  orderId = await paidOrder(stack, pilgrim)
  awb = await issuedAwb(pilgrim.person, orderId)
})
afterAll(() => stack?.close())

const visitor = () => newPerson(stack)

async function demoOrder(ref: string | number): Promise<DemoOrder> {
  const headers = { [demoKeyHeader]: demoKey }
  return (await visitor().call(readDemoOrder, { params: { ref: String(ref) }, headers })).order
}

describe('the order of a tester', () => {
  it('is found by each of its numbers, and holds its payments, shipments and messages', async () => {
    const [payment] = await stack.control.paymentsOf(orderId)
    const order = await eventually(async () => {
      const read = await demoOrder(orderId)
      return read.messages.length > 0 ? read : undefined
    })
    expect(order).toMatchObject({
      orderId,
      status: 'PAID',
      amountHalalas: 5_000,
      user: { name: 'Maryam Tester', phone: pilgrim.user.phone },
      bookings: [{ awb, labelState: 'issued' }],
      payments: [
        {
          reference: payment?.reference,
          state: 'succeeded',
          events: [{ kind: 'succeeded', source: 'callback', outcome: 'applied', amountHalalas: 5_000 }],
          refunds: [],
        },
      ],
      messages: [{ orderId, about: 'paid', phone: pilgrim.user.phone }],
    })
    const refs = [`OD-${orderId}`, `od-${orderId}`, payment?.reference, awb, order.bookings[0]?.reference]
    for (const ref of refs) expect((await demoOrder(ref ?? 'none')).orderId, ref ?? 'none').toBe(orderId)
  })

  it('is not found by another number', async () => {
    const headers = { [demoKeyHeader]: demoKey }
    for (const ref of ['999999', 'OD-999999', 'OD999999-NONE', '999999999999']) {
      const refusal = await visitor().refusalOf(readDemoOrder, { params: { ref }, headers })
      expect(refusal.problem.code).toBe('ORDER_NOT_FOUND')
    }
  })
})

describe('simulator and gateway together', () => {
  it('have one clock', async () => {
    const before = Date.now()
    await stack.control.advanceClock(3 * 3_600_000)
    const late = await paidOrder(stack, pilgrim)
    const { createdAt, paidAt } = await demoOrder(late)
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before + 3 * 3_600_000)
    const [payment] = await stack.control.paymentsOf(late)
    const sentAt = payment?.callbacks[0]?.attempts[0]?.at ?? ''
    expect(Math.abs(Date.parse(sentAt) - Date.parse(paidAt ?? ''))).toBeLessThan(1_800_000)
  })

  it('are brought back from a snapshot, also after a reset and a restart of the gateway', async () => {
    const before = await demoOrder(orderId)
    const payments = await stack.control.paymentsOf(orderId)
    await stack.control.saveSnapshot('paid')

    await stack.control.reset()
    expect(await stack.control.payments()).toEqual([])
    expect((await pilgrim.person.send('GET', '/api/auth/user')).status).toBe(401)
    const other = await signedUpPilgrim(stack)
    expect(await paidOrder(stack, other)).toBeGreaterThan(orderId)

    await stack.killGateway()
    await stack.startGateway()
    await stack.control.restoreSnapshot('paid')
    const { messages: _, ...after } = await demoOrder(orderId)
    expect(before).toMatchObject(after)
    expect(await stack.control.paymentsOf(orderId)).toEqual(payments)
    expect((await pilgrim.person.order(orderId)).bookings[0]?.awb).toBe(awb)
    expect((await other.person.send('GET', '/api/auth/user')).status).toBe(401)
    // Both sides go on: the next order gets its airway bill.
    await issuedAwb(pilgrim.person, await paidOrder(stack, pilgrim))
  })

  it('say which side did not follow, and change neither', async () => {
    const { now } = await (await fetch(`${stack.mockUrl}/control/overview`)).json()
    await stack.killGateway()
    await expect(stack.control.advanceClock(86_400_000)).rejects.toThrow(/502.*GATEWAY_FAILED.*unchanged/)
    await expect(stack.control.reset()).rejects.toThrow(/502.*does not answer at/)
    expect(await stack.control.payments()).not.toEqual([])
    const later = await (await fetch(`${stack.mockUrl}/control/overview`)).json()
    expect(Date.parse(later.now) - Date.parse(now)).toBeLessThan(3_600_000)
    await stack.startGateway()
    await newPerson(stack).signUp(newPhone(), 'Sara')
  })
})
