import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { recordHandover } from '#shared/orders/handovers.operations.ts'
import { cancelOrder, listUserOrders } from '#shared/orders/orders.operations.ts'
import { agentCodeOf, issuedAwb, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { callbackOf, deliver, type MailBox, openMailBox, successOn } from '#test/kit/callbacks.ts'
import type { PaymentView } from '#test/kit/control.ts'
import { raceRounds } from '#test/kit/databases.ts'
import { deploymentsOrOne, startDeployment } from '#test/kit/deployments.ts'
import { eventually } from '#test/kit/eventually.ts'
import { isFull } from '#test/kit/full-run.ts'
import { type Answer, newPerson, type Person } from '#test/kit/person.ts'
import { shipmentsByOrder } from '#test/kit/shipments.ts'
import type { ProcessStack } from '#test/kit/stack.ts'

const agentPhone = '+966500000101'
const rounds = isFull ? raceRounds : 1
const roundNumbers = Array.from({ length: rounds }, (_, round) => round + 1)

describe.each(deploymentsOrOne('postgres'))('$name', (deployment) => {
  let mail: MailBox
  let stack: ProcessStack
  let pilgrim: Pilgrim
  let offer: CheckoutRequest
  /** One browser, with a client for each gateway. */
  let windows: readonly Person[]
  /** The agent of all orders, with a client for each gateway. */
  let counters: readonly Person[]
  /** Orders that were paid and not refunded: each must have one shipment in the end. */
  const paid = new Set<number>()
  /** Orders that were paid twice, with the transaction that counts: the other one is refunded. */
  const doubles = new Map<number, string>()
  /** Orders that could not be cancelled any more. */
  const handedOver = new Set<number>()

  beforeAll(async () => {
    mail = await openMailBox()
    stack = await startDeployment(deployment, mail.url)
    pilgrim = await signedUpPilgrim(stack)
    const { person, user } = pilgrim
    offer = await person.offer(user.id, { agentCode: await agentCodeOf(person, agentPhone) })
    const agent = newPerson(stack)
    await agent.signInAgent(agentPhone)
    const onEachGateway = (browserOf: Person) =>
      stack.gatewayUrls.map((gatewayUrl) => newPerson(stack, { gatewayUrl, browserOf }))
    windows = onEachGateway(person)
    counters = onEachGateway(agent)
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
    paid.add(orderId)
    doubles.set(orderId, order.transactionId ?? '')
  })

  /** The code of a refusal, or `done`. */
  const outcomeOf = ({ status, json }: Answer) =>
    status === 200 ? 'done' : ((json as { code?: string }).code ?? String(status))
  const cancelAt = async (window: Person, orderId: number) =>
    outcomeOf(await window.send('POST', cancelOrder.path.replace(':id', String(orderId))))
  const receiveAt = async (counter: Person, awb: string) =>
    outcomeOf(await counter.send('POST', recordHandover.path, { body: { awb } }))

  /** Payments and refunds of an order at the provider. */
  async function moneyOf(orderId: number) {
    const transactions = (await stack.control.paymentsOf(orderId)).flatMap((payment) => payment.transactions)
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const charges = transactions.filter(({ kind, success }) => kind === 'payment' && success)
    return {
      charged: sum(charges.map(({ amount }) => amount)),
      returned: sum(charges.map(({ refundedAmount }) => refundedAmount)),
      refunds: transactions.filter(({ kind, success }) => kind !== 'payment' && success).length,
    }
  }

  async function expectMoneyBack(orderId: number): Promise<void> {
    const order = await eventually(
      async () => {
        const now = await pilgrim.person.order(orderId)
        return now.status === 'REFUNDED' ? now : undefined
      },
      { withinMs: 60_000 },
    )
    expect(order.bookings.map(({ state }) => state)).toEqual(['CANCELLED'])
    expect(await moneyOf(orderId)).toEqual({ charged: 5_000, returned: 5_000, refunds: 1 })
  }

  it.each(roundNumbers)(
    'returns the money once when a cancellation and a late payment race (%i)',
    async () => {
      const { orderId, payment } = await createOrder()
      const callback = await charge(orderId, payment)
      const answers = await atOnce(10, ({ window, gatewayUrl }) =>
        Promise.all([deliver(gatewayUrl, callback), cancelAt(window, orderId)]),
      )
      expect(new Set(answers.map(String))).toEqual(new Set(['200,done']))
      await expectMoneyBack(orderId)
    },
  )

  it.each(roundNumbers)('hands a bag over or cancels its order, never both (%i)', async (round) => {
    const { orderId, payment } = await createOrder()
    expect(await deliver(stack.gatewayUrl, await charge(orderId, payment))).toBe(200)
    const awb = await issuedAwb(pilgrim.person, orderId)
    // On different gateways, where there are two.
    const window = windows[round % windows.length]
    const counter = counters[(round + 1) % counters.length]
    if (window === undefined || counter === undefined) throw new Error('there is no gateway')
    const contenders = [() => cancelAt(window, orderId), () => receiveAt(counter, awb)]
    const answers = await Promise.all((round % 2 ? contenders : contenders.toReversed()).map((run) => run()))
    const [cancelled, received] = round % 2 ? answers : answers.toReversed()
    expect([
      ['done', 'DO_NOT_ACCEPT'],
      ['ALREADY_HANDED_OVER', 'done'],
    ]).toContainEqual([cancelled, received])
    if (cancelled === 'done') return expectMoneyBack(orderId)
    expect(await pilgrim.person.order(orderId)).toMatchObject({
      status: 'PAID',
      bookings: [{ state: 'HANDED_OVER' }],
    })
    handedOver.add(orderId)
    paid.add(orderId)
  })

  it.each(roundNumbers)('pays each of twenty orders with simultaneous callbacks (%i)', async () => {
    const orders = await atOnce(20, ({ window }) => window.call(checkout, { body: offer }))
    const callbacks = await Promise.all(
      orders.map(async ({ orderId }) => {
        const [payment] = await stack.control.paymentsOf(orderId)
        if (payment === undefined) throw new Error('the provider knows no payment of the order')
        return callbackOf(successOn(payment))
      }),
    )
    const all = callbacks.flatMap((callback) => [callback, callback])
    const statuses = await atOnce(all.length, async ({ gatewayUrl }) => {
      const callback = all.pop()
      return callback && deliver(gatewayUrl, callback)
    })
    expect(statuses.every((status) => status === 200)).toBe(true)
    for (const { orderId } of orders) {
      expect((await pilgrim.person.order(orderId)).status).toBe('PAID')
      paid.add(orderId)
    }
  })

  it('has refunded the other payment once and in full', async () => {
    expect(doubles.size).toBe(rounds)
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

  it('has returned nothing for a bag that was handed over', async () => {
    for (const orderId of handedOver)
      expect(await moneyOf(orderId)).toEqual({ charged: 5_000, returned: 0, refunds: 0 })
  })

  it('has made one shipment for every order that was paid, and none for any other', async () => {
    expect(paid.size).toBe(rounds * 21 + handedOver.size)
    const made = await eventually(
      async () => {
        const counts = await shipmentsByOrder(stack.control)
        return [...paid].every((orderId) => counts.has(orderId)) ? counts : undefined
      },
      { withinMs: 60_000 },
    )
    for (const orderId of paid) expect(made.get(orderId), `shipments of OD-${orderId}`).toBe(1)
    const others = [...made].filter(([orderId]) => !paid.has(orderId))
    // A refund that raced with its payment may have arrived after the label was issued.
    const refunded = new Map((await ordersOf()).map(({ orderId, status }) => [orderId, status]))
    for (const [orderId, count] of others) {
      expect(count).toBe(1)
      expect(refunded.get(orderId) ?? (await pilgrim.person.order(orderId)).status).toBe('REFUNDED')
    }
  })
})
