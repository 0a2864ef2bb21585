import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { leaseMs } from '#server/features/shipments/shipments.rules.ts'
import { renewPayment } from '#shared/orders/orders.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { issuedAwb, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { describeInFull, isFull } from '#test/kit/full-run.ts'
import { type ProcessStack, refuses, startStack } from '#test/kit/stack.ts'

/** Kills of a gateway. The full run adds those that wait for a lease of half a minute. */
const rounds = 20

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

/** The number of creations of shipments that contain one of these order numbers. */
async function timesCreated(awb: string): Promise<number> {
  const made = (await stack.control.shipments()).filter((shipment) => shipment.awb === awb)
  return made.flatMap(({ createdAt }) => createdAt).length
}

const totalShipments = async () =>
  (await stack.control.shipments()).flatMap(({ createdAt }) => createdAt).length

describeInFull(
  `a gateway that is killed ${rounds} times while a shipment is made and ${rounds} times after a payment`,
  () => {
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
  },
)

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
      const { person, user } = await signedUpPilgrim(stack)
      const hold = await stack.control.setFault('payment', {
        kind: 'hold',
        match: { operation: 'create-intention' },
      })
      const cut = person.checkout(user.id).catch((error: unknown) => error)
      await stack.control.untilHeld(hold)
      const [order] = await person.orders(user.id)
      if (order === undefined) throw new Error('the order is stored before the provider is called')
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

  it('finishes its current request', async () => {
    const before = (await stack.control.payments()).length
    const hold = await stack.control.setFault('payment', {
      kind: 'hold',
      match: { operation: 'create-intention' },
    })
    const answer = pilgrim.person.checkout(pilgrim.user.id)
    await stack.control.untilHeld(hold)
    const ended = stack.killGateway('SIGTERM')
    // It stops: no new connection is served.
    await eventually(() => refuses(stack.gatewayUrl))
    await stack.control.endFault(hold)
    expect((await answer).clientSecret).not.toBe('')
    expect(await ended).toBe(0)
    expect((await stack.control.payments()).length).toBe(before + 1)
    await stack.startGateway()
  })
})
