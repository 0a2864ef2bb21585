import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { leaseMs } from '#server/features/shipments/shipments.rules.ts'
import { renewPayment } from '#shared/orders/orders.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { issuedAwb, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { isFull } from '#test/kit/full-run.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

/** Kills of a gateway. `npm run test:full` also runs the test that waits for half a minute. */
const rounds = isFull ? 20 : 2

let stack: Stack
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

/** The number of creations of shipments that contain one of these order numbers. */
async function timesCreated(awb: string): Promise<number> {
  const made = (await stack.control.shipments()).filter((shipment) => shipment.awb === awb)
  return made.flatMap(({ createdAt }) => createdAt).length
}

const totalShipments = async () =>
  (await stack.control.shipments()).flatMap(({ createdAt }) => createdAt).length

describe(`a gateway that is killed ${rounds} times while a shipment is made and ${rounds} times after a payment`, () => {
  const orderIds: number[] = []

  beforeAll(async () => {
    for (let round = 0; round < rounds; round += 1) {
      const before = await totalShipments()
      // The partner creates the shipment, and its answer reaches no gateway.
      await stack.control.setFault('shipping', { kind: 'lose-answer' })
      orderIds.push(await paidOrder(stack, pilgrim))
      await eventually(async () => ((await totalShipments()) > before ? true : undefined))
      await stack.killGateway('SIGKILL')
      await stack.control.endFaults()
      await stack.startGateway()
    }
    for (let round = 0; round < rounds; round += 1) {
      orderIds.push(await paidOrder(stack, pilgrim))
      await dieAndRise()
    }
  })

  it('has recorded every payment afterwards', async () => {
    const orders = await Promise.all(orderIds.map((orderId) => pilgrim.person.order(orderId)))
    expect(orders.map(({ status }) => status)).toEqual(orderIds.map(() => 'PAID'))
  })

  it('gets exactly one airway bill for each', async () => {
    // The bookings of a killed gateway are free when its lease has expired, at the latest.
    const withinMs = leaseMs + 30_000
    const awbs = await Promise.all(
      orderIds.map((orderId) => issuedAwb(pilgrim.person, orderId, { withinMs })),
    )
    expect(await Promise.all(awbs.map(timesCreated))).toEqual(awbs.map(() => 1))
    expect(await totalShipments()).toBe(orderIds.length)
  })
})

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

  if (isFull)
    it('during a checkout leaves an order that can be paid', async () => {
      await stack.control.setFault('payment', { kind: 'delay', delayMs: 3_000 })
      const { person, user } = await signedUpPilgrim(stack)
      const cut = person.checkout(user.id).catch((error: unknown) => error)
      const order = await eventually(async () => (await person.orders(user.id))[0])
      await stack.killGateway('SIGKILL')
      expect(await cut).toBeInstanceOf(Error)
      await stack.control.endFaults()
      await stack.startGateway()

      expect((await person.order(order.orderId)).status).toBe('PENDING_PAYMENT')
      // The interrupted attempt blocks others for half a minute: its gateway could still be running, only slow.
      const renewed = await eventually(
        () => person.call(renewPayment, { params: { id: String(order.orderId) } }),
        { withinMs: 45_000, everyMs: 500 },
      )
      await stack.control.replay(renewed.orderId, 'success')
      await eventually(async () => ((await person.order(order.orderId)).status === 'PAID' ? true : undefined))
    })

  it('keeps people signed in', async () => {
    await dieAndRise()
    expect(await pilgrim.person.call(readUserSession)).toMatchObject({ userId: pilgrim.user.id })
  })
})

describe('a gateway that is asked to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('closes and exits with 0 on %s', async (signal) => {
    expect(await stack.killGateway(signal)).toBe(0)
    await stack.startGateway()
    expect(await pilgrim.person.call(readUserSession)).toMatchObject({ userId: pilgrim.user.id })
  })

  it('finishes its current request', async () => {
    await stack.control.setFault('payment', { kind: 'delay', delayMs: 1_000, count: 1 })
    const before = (await stack.control.payments()).length
    // Newest first; the list has one page, so that its length says nothing.
    const newest = async () => (await pilgrim.person.orders(pilgrim.user.id))[0]?.orderId ?? 0
    const last = await newest()
    const answer = pilgrim.person.checkout(pilgrim.user.id)
    // The order is stored before the provider is called, which is slow here.
    await eventually(async () => ((await newest()) > last ? true : undefined))
    const ended = stack.killGateway('SIGTERM')
    expect((await answer).clientSecret).not.toBe('')
    expect(await ended).toBe(0)
    expect((await stack.control.payments()).length).toBe(before + 1)
    await stack.startGateway()
  })
})
