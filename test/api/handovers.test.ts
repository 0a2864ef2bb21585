import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportUser } from '#shared/account/account.operations.ts'
import { recordHandover, undoHandover } from '#shared/orders/handovers.operations.ts'
import { listAgentOrders, readLabel } from '#shared/orders/orders.operations.ts'
import {
  agentCodeOf,
  issuedAwb,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

const agentPhone = '+966500000101'

let stack: Stack
let pilgrim: Pilgrim
let agent: Person
let agentId: string
let agentCode: string

beforeAll(async () => {
  stack = await ownStack()
  pilgrim = await signedUpPilgrim(stack)
  agent = newPerson(stack)
  agentId = String((await agent.signInAgent(agentPhone)).id)
  agentCode = await agentCodeOf(pilgrim.person, agentPhone)
})
afterAll(() => stack?.close())

/** A paid order of the agent with its label. */
async function readyBag(): Promise<{ orderId: number; awb: string }> {
  const orderId = await paidOrder(stack, pilgrim, { agentCode })
  const awb = await issuedAwb(pilgrim.person, orderId)
  await eventually(async () => (await pilgrim.person.call(readLabel, { params: { awb } })).awbFile, {
    withinMs: 20_000,
  })
  return { orderId, awb }
}

const take = (awb: string, key?: string) =>
  agent.call(recordHandover, { body: { awb }, ...(key && { headers: { 'idempotency-key': key } }) })
const countsOf = async () => (await agent.call(listAgentOrders, { params: { agentId }, query: {} })).counts
const bagOf = async (orderId: number) => (await pilgrim.person.order(orderId)).bookings[0]

describe('a bag at the counter', () => {
  it('is received, seen by its owner, undone and received again', async () => {
    const { orderId, awb } = await readyBag()
    expect(await bagOf(orderId)).toMatchObject({ state: 'READY', lastEventAt: null, events: [] })
    const before = await countsOf()

    const { booking, order } = await take(awb, 'first-scan')
    expect([order.orderId, booking.state]).toEqual([orderId, 'HANDED_OVER'])
    expect(await bagOf(orderId)).toMatchObject({
      state: 'HANDED_OVER',
      events: [{ kind: 'handed-over', source: 'agent', place: expect.any(String) }],
    })
    expect(await countsOf()).toEqual({
      ...before,
      waiting: before.waiting - 1,
      received: before.received + 1,
    })
    expect((await take(awb, 'first-scan')).booking.events).toHaveLength(1)
    const again = await agent.refusalOf(recordHandover, { body: { awb } })
    expect([again.status, again.problem.code, again.problem.receivedAt]).toEqual([
      409,
      'ALREADY_RECEIVED',
      booking.lastEventAt,
    ])

    expect((await agent.call(undoHandover, { params: { awb } })).booking.state).toBe('READY')
    expect(await countsOf()).toEqual(before)
    await take(awb)
    const { json } = await pilgrim.person.send('GET', exportUser.path)
    const { orders } = json as { orders: { orderId: number; bookings: { events: { kind: string }[] }[] }[] }
    const [exported] = orders.find((each) => each.orderId === orderId)?.bookings ?? []
    expect(exported?.events.map(({ kind }) => kind)).toEqual([
      'handed-over',
      'hand-over-undone',
      'handed-over',
    ])
  })
})
