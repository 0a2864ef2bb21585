import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkout, createPaymentOrder } from '#shared/checkout/checkout.operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { receiveCallback, renewPayment } from '#shared/payments/payments.operations.ts'
import { issuedAwb, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { problemOf } from '#test/kit/person.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

let stack: Stack
let pilgrim: Pilgrim
beforeAll(async () => {
  stack = await startStack()
  pilgrim = await signedUpPilgrim(stack)
})
afterAll(() => stack?.close())

const statusOf = async (orderId: number) => (await pilgrim.person.order(orderId)).status
const place = async () => (await pilgrim.person.checkout(pilgrim.user.id)).orderId

/** How often the gateway has met each outcome of a callback, as its metrics say. */
async function callbackOutcomes(): Promise<Record<string, number>> {
  const text = await (await fetch(`${stack.gatewayUrl}/metrics`)).text()
  const lines = text.matchAll(/^payment_callbacks_total\{outcome="([\w-]+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, outcome, count]) => [outcome, Number(count)]))
}

/** Shipments the partner has made for an order, however many numbers they carry. */
async function shipmentsOf(orderId: number): Promise<number> {
  const order = await pilgrim.person.order(orderId)
  const awbs = order.bookings.map(({ awb }) => awb)
  const made = (await stack.control.shipments()).filter(({ awb }) => awbs.includes(awb))
  return made.reduce((sum, { createdAt }) => sum + createdAt.length, 0)
}

describe('the provider’s word', () => {
  it('counts once, however often it comes', async () => {
    const before = await callbackOutcomes()
    const orderId = await place()
    const { callbacks } = await stack.control.replay(orderId, 'success', { callback: 'twice' })
    expect(callbacks.map(({ status }) => status)).toEqual([200, 200])
    expect(await statusOf(orderId)).toBe('PAID')
    await issuedAwb(pilgrim.person, orderId)
    expect(await shipmentsOf(orderId)).toBe(1)

    const after = await callbackOutcomes()
    expect((after.applied ?? 0) - (before.applied ?? 0)).toBe(1)
    expect((after.repeated ?? 0) - (before.repeated ?? 0)).toBe(1)
  })

  it('is refused when the signature does not fit, and nothing changes', async () => {
    const orderId = await place()
    const { callbacks } = await stack.control.replay(orderId, 'success', { callback: 'forge' })
    expect(callbacks.map(({ status }) => status)).toEqual([401])
    const order = await pilgrim.person.order(orderId)
    expect(order.status).toBe('PENDING_PAYMENT')
    expect(order.transactionId).toBeUndefined()
  })

  it.each([
    ['without a signature', ''],
    ['with an empty one', '?hmac='],
    ['with another one', `?hmac=${'0'.repeat(128)}`],
    ['with one that is too long', `?hmac=${'0'.repeat(300)}`],
  ])('is refused %s', async (_, query) => {
    const response = await fetch(`${stack.gatewayUrl}${receiveCallback.path}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'TRANSACTION', obj: { id: 1 } }),
    })
    expect([400, 401]).toContain(response.status)
    problemOf(response.status, await response.json())
  })

  it('is found by asking when it got lost', async () => {
    const orderId = await place()
    await stack.control.replay(orderId, 'success', { callback: 'lose' })
    await eventually(async () => ((await statusOf(orderId)) === 'PAID' ? true : undefined))
    expect(await issuedAwb(pilgrim.person, orderId)).toMatch(/^\d{12}$/)
  })

  it('never confirms an amount that does not fit', async () => {
    const orderId = await place()
    const { callbacks } = await stack.control.replay(orderId, 'success', { callback: 'mismatch' })
    expect(callbacks.map(({ status }) => status)).toEqual([200])
    expect(await statusOf(orderId)).not.toBe('PAID')
    expect(await shipmentsOf(orderId)).toBe(0)
  })

  it('leaves an order payable after a decline and after giving up', async () => {
    const orderId = await place()
    await stack.control.replay(orderId, 'decline')
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await stack.control.replay(orderId, 'cancel')
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')

    const again = await pilgrim.person.call(renewPayment, { params: { id: String(orderId) } })
    expect(again.orderId).toBe(orderId)
    await stack.control.replay(orderId, 'success')
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('turns a paid order into a refunded one', async () => {
    for (const outcome of ['refund', 'void'] as const) {
      const orderId = await paidOrder(stack, pilgrim)
      const { callbacks } = await stack.control.replay(orderId, outcome)
      expect(callbacks.length).toBeGreaterThan(0)
      expect(callbacks.every(({ status }) => status === 200)).toBe(true)
      expect(await statusOf(orderId)).toBe('REFUNDED')
    }
  })

  it('opens no second payment of a paid order', async () => {
    const orderId = await paidOrder(stack, pilgrim)
    const { status, problem } = await pilgrim.person.refusalOf(renewPayment, {
      params: { id: String(orderId) },
    })
    expect([status, problem.code]).toEqual([409, 'ORDER_NOT_PAYABLE'])
  })
})

describe('an idempotency key', () => {
  const bodyOf = async (change: object = {}) => ({
    userId: pilgrim.user.id,
    type: 'FROM_MINA' as const,
    noOfPackages: 1,
    agentCode: (await pilgrim.person.agents())[0]?.id ?? '',
    centerCode: (await pilgrim.person.centers())[0]?.code ?? '',
    amount: 50,
    ...change,
  })
  const countOrders = async () => {
    const page = await pilgrim.person.call(listUserOrders, {
      params: { userId: String(pilgrim.user.id) },
      query: { limit: '100' },
    })
    return page.orders.length
  }

  it('makes one order of many clicks, also at once', async () => {
    const headers = { 'idempotency-key': 'one-order-of-many-clicks' }
    const body = await bodyOf()
    const before = await countOrders()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => pilgrim.person.send('POST', checkout.path, { body, headers })),
    )
    const served = answers.filter(({ status }) => status === 200)
    expect(served.length).toBeGreaterThan(0)
    // One that comes while the first is at work may be told to wait; it is never given another order.
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await countOrders()).toBe(before + 1)
    const later = await pilgrim.person.call(checkout, { body, headers })
    expect(served.map(({ json }) => json)).toEqual(served.map(() => later))
  })

  it('refuses another request under the same key', async () => {
    const headers = { 'idempotency-key': 'another-request-same-key' }
    await pilgrim.person.call(checkout, { body: await bodyOf(), headers })
    const other = (await pilgrim.person.centers())[1]?.code
    const body = await bodyOf({ centerCode: other })
    const { status, problem } = await pilgrim.person.refusalOf(checkout, { body, headers })
    expect([status, problem.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('belongs to one account', async () => {
    const headers = { 'idempotency-key': 'belongs-to-one-account' }
    const mine = await pilgrim.person.call(checkout, { body: await bodyOf(), headers })
    const neighbour = await signedUpPilgrim(stack)
    const body = await bodyOf({ userId: neighbour.user.id })
    const theirs = await neighbour.person.call(checkout, { body, headers })
    expect(theirs.orderId).not.toBe(mine.orderId)
  })

  it('works the same in the other words of the same call', async () => {
    const headers = { 'idempotency-key': 'the-other-words' }
    const { userId, amount, ...bookingDetails } = await bodyOf()
    const body = { userId, amount, bookingDetails }
    const first = await pilgrim.person.call(createPaymentOrder, { body, headers })
    expect(await pilgrim.person.call(createPaymentOrder, { body, headers })).toEqual(first)
  })

  it.each(['short', 'x'.repeat(129), 'with space in it'])('must be one: %s', async (key) => {
    const { status, problem } = await pilgrim.person.refusalOf(checkout, {
      body: await bodyOf(),
      headers: { 'idempotency-key': key },
    })
    expect([status, problem.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(problem.fields?.map(({ field }) => field)).toEqual(['idempotency-key'])
  })
})
