import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoKeyHeader, readDemoOrder } from '#shared/demo/demo.api.ts'
import type { DemoOrder } from '#shared/demo/demo.schemas.ts'
import { issuedAwb, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { newPerson } from '#test/kit/gateway/person.ts'
import { demoKey, type ProcessStack, startStack } from '#test/kit/programs/stack.ts'

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

describe('simulator and gateway together', () => {
  it('are emptied by a reset, and go on, also after a restart of the gateway', async () => {
    expect((await demoOrder(orderId)).bookings[0]?.awb).toBe(awb)
    await stack.control.reset()
    expect(await stack.control.payments()).toEqual([])
    expect((await pilgrim.person.send('GET', '/api/auth/user')).status).toBe(401)

    await stack.killGateway()
    await stack.startGateway()
    const other = await signedUpPilgrim(stack)
    const next = await paidOrder(stack, other)
    expect(next).toBeGreaterThan(orderId)
    await issuedAwb(other.person, next)
  })
})
