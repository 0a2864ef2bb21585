import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { raceRounds } from '#test/kit/database/databases.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import { deliver, type MailBox, openMailBox } from '#test/kit/orders/callbacks.ts'
import { shipmentsByOrder } from '#test/kit/orders/shipments.ts'
import type { PaymentView } from '#test/kit/programs/control.ts'
import { deploymentsOrOne, startDeployment } from '#test/kit/programs/deployments.ts'
import type { ProcessStack } from '#test/kit/programs/stack.ts'

/**
 * Two gateways as processes on one PostgreSQL: that no state of a process decides a race. The races themselves are in
 * server/features, on two services of one database.
 */
const roundNumbers = Array.from({ length: raceRounds }, (_, round) => round + 1)

describe.each(deploymentsOrOne('postgres'))('$name', (deployment) => {
  let mail: MailBox
  let stack: ProcessStack
  let pilgrim: Pilgrim
  let offer: CheckoutRequest
  /** One browser, with a client for each gateway. */
  let windows: readonly Person[]
  /** Orders that were paid twice, with the transaction that counts: the other one is refunded. */
  const doubles = new Map<number, string>()

  beforeAll(async () => {
    mail = await openMailBox()
    stack = await startDeployment(deployment, mail.url)
    pilgrim = await signedUpPilgrim(stack)
    const { person, user } = pilgrim
    offer = await person.offer(user.id)
    windows = stack.gatewayUrls.map((gatewayUrl) => newPerson(stack, { gatewayUrl, browserOf: person }))
  })
  afterAll(async () => {
    await stack?.close()
    await mail?.close()
  })

  /** `count` simultaneous calls, distributed over the gateways. */
  function atOnce<T>(count: number, call: (turn: { window: Person; gatewayUrl: string }) => Promise<T>) {
    return Promise.all(
      Array.from({ length: count }, (_, index) => {
        const at = index % windows.length
        const [window, gatewayUrl] = [windows[at], stack.gatewayUrls[at]]
        if (window === undefined || gatewayUrl === undefined) throw new Error('there is no gateway')
        return call({ window, gatewayUrl })
      }),
    )
  }

  const ordersOf = async () =>
    (
      await pilgrim.person.call(listUserOrders, {
        params: { userId: String(pilgrim.user.id) },
        query: { limit: '100' },
      })
    ).orders

  /** The number of the newest order: the numbers of one user increase. */
  const newestOrder = async () => (await ordersOf())[0]?.orderId ?? 0

  async function createOrder(): Promise<{ orderId: number; payment: PaymentView }> {
    const { orderId } = await pilgrim.person.call(checkout, { body: offer })
    const [payment] = await stack.control.paymentsOf(orderId)
    if (payment === undefined) throw new Error('the provider knows no payment of the order')
    return { orderId, payment }
  }

  /** Makes the provider charge the card, and returns its undelivered callback. */
  async function charge(orderId: number, { intentionOrderId }: PaymentView, nth = 1) {
    await stack.control.replay(orderId, 'success')
    const callback = (await mail.read(intentionOrderId, nth))[nth - 1]
    if (callback === undefined) throw new Error('no callback came')
    return callback
  }

  it.each(roundNumbers)(
    'makes one order and one intention for fifty checkouts with one key (%i)',
    async (round) => {
      const before = await newestOrder()
      const { intentions } = await stack.control.counters()
      const headers = { 'idempotency-key': `fifty-at-once-${round}` }
      const answers = await atOnce(50, ({ window }) =>
        window.send('POST', checkout.path, { body: offer, headers }),
      )
      expect(answers.filter(({ status }) => status !== 200).map(({ json }) => json)).toEqual([])
      expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1)
      expect((await ordersOf()).filter(({ orderId }) => orderId > before)).toHaveLength(1)
      expect((await stack.control.counters()).intentions).toBe(intentions + 1)
    },
  )

  it.each(roundNumbers)('keeps one of two simultaneous payments (%i)', async () => {
    const { orderId, payment } = await createOrder()
    const first = await charge(orderId, payment, 1)
    const second = await charge(orderId, payment, 2)
    await atOnce(20, async ({ gatewayUrl }) => {
      await Promise.all([deliver(gatewayUrl, first), deliver(gatewayUrl, second)])
    })
    const order = await pilgrim.person.order(orderId)
    expect(order.status).toBe('PAID')
    doubles.set(orderId, order.transactionId ?? '')
  })

  it('has refunded the other payment once and in full', async () => {
    expect(doubles.size).toBe(raceRounds)
    for (const [orderId, kept] of doubles) {
      const payments = await eventually(async () => {
        const [seen] = await stack.control.paymentsOf(orderId)
        const charges = seen?.transactions.filter(({ kind }) => kind === 'payment') ?? []
        return charges.some(({ refundedAmount }) => refundedAmount > 0) ? charges : undefined
      })
      expect(payments).toHaveLength(2)
      for (const { id, amount, refundedAmount } of payments)
        expect(refundedAmount).toBe(String(id) === kept ? 0 : amount)
    }
  })

  it('has made one shipment for every order that was paid, and none for any other', async () => {
    const made = await eventually(
      async () => {
        const counts = await shipmentsByOrder(stack.control)
        return [...doubles.keys()].every((orderId) => counts.has(orderId)) ? counts : undefined
      },
      { withinMs: 60_000 },
    )
    expect([...made].sort()).toEqual([...doubles.keys()].map((orderId) => [orderId, 1]).sort())
  })
})
