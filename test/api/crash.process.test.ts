import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { type ProcessStack, startStack } from '#test/kit/programs/stack.ts'

let stack: ProcessStack
let pilgrim: Pilgrim
beforeAll(async () => {
  stack = await startStack()
  pilgrim = await signedUpPilgrim(stack)
  // Stores the partner's lists before the first kill.
  await Promise.all([pilgrim.person.agents(), pilgrim.person.centers()])
})
afterEach(() => stack?.control.endFaults())
afterAll(() => stack?.close())

async function dieAndRise(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  await stack.killGateway(signal)
  await stack.startGateway()
}

describe('a gateway that is killed', () => {
  it('before a callback arrives learns of the payment from the next attempt', async () => {
    const { orderId } = await pilgrim.person.checkout(pilgrim.user.id)
    await stack.killGateway('SIGKILL')
    const { callbacks } = await stack.control.replay(orderId, 'success')
    expect(callbacks.map(({ status }) => status)).toEqual([null])
    await stack.startGateway()
    await eventually(
      async () => {
        const [payment] = await stack.control.paymentsOf(orderId)
        return payment?.callbacks.some(({ status }) => status === 200) ? true : undefined
      },
      { withinMs: 30_000 },
    )
    expect((await pilgrim.person.order(orderId)).status).toBe('PAID')
  })

  it('keeps sessions, payments and the partner’s lists, also while the partner is down', async () => {
    const orderId = await paidOrder(stack, pilgrim)
    const lists = await Promise.all([pilgrim.person.agents(), pilgrim.person.centers()])
    await stack.control.setFault('shipping', { kind: 'reset' })
    await dieAndRise()
    expect((await pilgrim.person.order(orderId)).status).toBe('PAID')
    expect(await Promise.all([pilgrim.person.agents(), pilgrim.person.centers()])).toEqual(lists)
    expect(await pilgrim.person.call(readUserSession)).toMatchObject({ userId: pilgrim.user.id })
  })
})

describe('a gateway that is asked to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('closes and exits with 0 on %s', async (signal) => {
    expect(await stack.killGateway(signal)).toBe(0)
    await stack.startGateway()
    expect(await pilgrim.person.call(readUserSession)).toMatchObject({ userId: pilgrim.user.id })
  })
})
