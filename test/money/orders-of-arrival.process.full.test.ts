import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issuedAwb, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { type Callback, deliver, type MailBox, openMailBox, transactionIn } from '#test/kit/callbacks.ts'
import type { Outcome } from '#test/kit/control.ts'
import { deploymentsOrOne, startDeployment } from '#test/kit/deployments.ts'
import { eventually } from '#test/kit/eventually.ts'
import { isFull } from '#test/kit/full-run.ts'
import { metricsOf } from '#test/kit/metrics.ts'
import { shipmentsByOrder } from '#test/kit/shipments.ts'
import type { ProcessStack } from '#test/kit/stack.ts'

/** All permutations of the items. */
function permutations<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]]
  return things.flatMap((first, index) =>
    permutations(things.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  )
}

describe.each(deploymentsOrOne('postgres'))('$name', (deployment) => {
  let mail: MailBox
  let stack: ProcessStack
  let pilgrim: Pilgrim
  /** Orders that were refunded before their payment was known. */
  const neverShipped: number[] = []
  /** Orders that were paid more than once, and how often beyond the first. */
  const paidMoreThanOnce = new Map<number, number>()

  beforeAll(async () => {
    mail = await openMailBox()
    stack = await startDeployment(deployment, mail.url)
    pilgrim = await signedUpPilgrim(stack)
  })
  afterAll(async () => {
    await stack?.close()
    await mail?.close()
  })

  /** A new order with `outcomes`, and the provider's callbacks about them, in the order of sending. */
  async function happened(...outcomes: Outcome[]): Promise<{ orderId: number; said: readonly Callback[] }> {
    const { orderId } = await pilgrim.person.checkout(pilgrim.user.id)
    for (const outcome of outcomes) await stack.control.replay(orderId, outcome)
    const [payment] = await stack.control.paymentsOf(orderId)
    // A refund and a void cause two callbacks: the changed payment, and a transaction of their own.
    const count = outcomes.reduce(
      (sum, outcome) => sum + (outcome === 'refund' || outcome === 'void' ? 2 : 1),
      0,
    )
    return { orderId, said: await mail.read(payment?.intentionOrderId ?? 0, count) }
  }

  let turn = 0
  async function arrive(callbacks: readonly Callback[]): Promise<void> {
    for (const callback of callbacks) {
      turn += 1
      const gatewayUrl = stack.gatewayUrls[turn % stack.gatewayUrls.length] ?? stack.gatewayUrl
      expect(await deliver(gatewayUrl, callback)).toBe(200)
    }
  }

  const statusOf = async (orderId: number) => (await pilgrim.person.order(orderId)).status

  describe.each(['refund', 'void'] as const)('a decline, a payment reported twice and its %s', (reversal) => {
    const things = isFull
      ? (['decline', 'success', 'success again', 'changed payment', 'reversal'] as const)
      : (['decline', 'success', 'success again', 'both callbacks of the reversal'] as const)

    it.each(permutations(things).map((order) => [order.join(', '), order] as const))(
      '%s: ends refunded',
      async (_, order) => {
        const { orderId, said } = await happened('decline', 'success', reversal)
        const [decline, success, changed, child] = said
        if (!decline || !success || !changed || !child) throw new Error('callbacks are missing')
        const callbacks = {
          decline: [decline],
          success: [success],
          'success again': [success],
          'changed payment': [changed],
          reversal: [child],
          'both callbacks of the reversal': [changed, child],
        }
        await arrive(order.flatMap((thing) => callbacks[thing]))
        expect(await statusOf(orderId)).toBe('REFUNDED')

        const arrivals = order.map((thing) => callbacks[thing])
        const paidAt = arrivals.findIndex((callbacksOf) => callbacksOf.includes(success))
        const refundedAt = arrivals.findIndex((callbacksOf) => callbacksOf.includes(changed))
        if (refundedAt < paidAt) neverShipped.push(orderId)
      },
    )
  })

  it.each(permutations(['decline', 'success'] as const).map((order) => [order.join(', '), order] as const))(
    '%s: ends paid',
    async (_, order) => {
      const { orderId, said } = await happened('decline', 'success')
      const [decline, success] = said
      if (!decline || !success) throw new Error('callbacks are missing')
      await arrive(order.map((thing) => ({ decline, success })[thing]))
      expect(await statusOf(orderId)).toBe('PAID')
      await issuedAwb(pilgrim.person, orderId)
      expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
    },
  )

  it.each([
    ['in order', (callbacks: readonly Callback[]) => [...callbacks]],
    ['in reverse order', (callbacks: readonly Callback[]) => [...callbacks].reverse()],
  ])('two payments reported %s: the first to arrive is kept', async (_, sorted) => {
    const { orderId, said } = await happened('success', 'success')
    const [first] = sorted(said)
    if (!first) throw new Error('callbacks are missing')
    await arrive(sorted(said))
    const { status, transactionId } = await pilgrim.person.order(orderId)
    expect([status, transactionId]).toEqual(['PAID', String(transactionIn(first).id)])
    paidMoreThanOnce.set(orderId, 1)
  })

  it('three payments, each reported twice: the first to arrive is kept', async () => {
    const { orderId, said } = await happened('success', 'success', 'success')
    await arrive([...said, ...said])
    expect(await statusOf(orderId)).toBe('PAID')
    paidMoreThanOnce.set(orderId, 2)
  })

  it('each further payment is refunded once and in full, and its callbacks change nothing', async () => {
    expect(paidMoreThanOnce.size).toBe(3)
    for (const [orderId, beyond] of paidMoreThanOnce) {
      const payment = await eventually(async () => {
        const [seen] = await stack.control.paymentsOf(orderId)
        const refunds = seen?.transactions.filter(({ kind }) => kind === 'refund') ?? []
        return refunds.length >= beyond ? seen : undefined
      })
      const sum = (kind: 'payment' | 'refund') =>
        payment.transactions
          .filter((each) => each.kind === kind)
          .reduce((total, { amount }) => total + amount, 0)
      expect(sum('payment') - sum('refund')).toBe(5_000)

      await arrive((await mail.read(payment.intentionOrderId, 1 + 3 * beyond)).slice(1 + beyond))
      const { status, transactionId } = await pilgrim.person.order(orderId)
      const kept = payment.transactions.filter(
        ({ kind, refundedAmount }) => kind === 'payment' && refundedAmount === 0,
      )
      expect(kept.map(({ id }) => String(id))).toEqual([transactionId])
      expect(status).toBe('PAID')
      await issuedAwb(pilgrim.person, orderId)
      expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
    }
  })

  it('a refund between two requests to the partner prevents the second one', async () => {
    const { orderId, said } = await happened('success', 'refund')
    const [success, changed] = said
    if (!success || !changed) throw new Error('callbacks are missing')
    const nextFaultIsMet = () =>
      eventually(async () => ((await stack.control.faults()).shipping === undefined ? true : undefined), {
        everyMs: 10,
      })
    // The first attempt has an unknown outcome, so the second looks it up before creating, and is delayed.
    await stack.control.setFault('shipping', { kind: 'status', status: 500, count: 1 })
    await arrive([success])
    await nextFaultIsMet()
    await stack.control.setFault('shipping', { kind: 'delay', delayMs: 8_000, count: 1 })
    await nextFaultIsMet()
    await arrive([changed])
    expect(await statusOf(orderId)).toBe('REFUNDED')
    neverShipped.push(orderId)
    const { lookups } = await stack.control.counters()
    await eventually(async () => ((await stack.control.counters()).lookups > lookups ? true : undefined))
  })

  it('has completed every refund that it requested', async () => {
    const readMetrics = () => metricsOf(stack.gatewayUrls.slice(0, 1))
    await eventually(async () => {
      const open = (await readMetrics()).get('amtiati_queue_length{queue="refunds"}')
      return open === 0 ? true : undefined
    })
    // The metric of completed refunds is counted at the start and then once a minute.
    await stack.killGateway('SIGTERM')
    await stack.startGateway()
    await eventually(async () =>
      (await readMetrics()).get('amtiati_refunds{state="done"}') === 4 ? true : undefined,
    )
  })

  it('has made no shipment for an order whose refund came first', async () => {
    expect(neverShipped.length).toBeGreaterThan(0)
    // Bookings are processed in the order of their due times: when this one has its airway bill, all earlier ones were.
    const { orderId, said } = await happened('success')
    await arrive(said)
    await issuedAwb(pilgrim.person, orderId)
    const made = await shipmentsByOrder(stack.control)
    expect(neverShipped.filter((refunded) => made.has(refunded))).toEqual([])
    expect([...made.values()].every((count) => count === 1)).toBe(true)
  })
})
