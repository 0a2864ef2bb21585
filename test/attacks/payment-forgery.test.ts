import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { receiveCallback, renewPayment } from '#shared/payments/payments.operations.ts'
import type { Transaction } from '#shared/wire/payment/payment.wire.ts'
import { issuedAwb, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import {
  type Callback,
  callbackOf,
  deliver,
  type MailBox,
  openMailBox,
  signatureOf,
  successOn,
  transactionIn,
} from '#test/kit/callbacks.ts'
import type { PaymentView } from '#test/kit/control.ts'
import { problemOf } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { shipmentsByOrder, shipmentsOf } from '#test/kit/shipments.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

/**
 * Nothing but the provider's own word makes an order paid. An attacker here is a customer: they know their own client
 * secret, and the signature of their own payment, which the provider's redirect carries in its address.
 */

let mailBox: MailBox
let stack: Stack
let rows: Rows
let attacker: Pilgrim
let victim: Pilgrim

beforeAll(async () => {
  mailBox = await openMailBox()
  stack = await startStack({ env: { CALLBACK_URL: mailBox.url } })
  rows = openRows(stack)
  attacker = await signedUpPilgrim(stack)
  victim = await signedUpPilgrim(stack)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
  await mailBox?.close()
})

interface Placed {
  readonly orderId: number
  readonly payment: PaymentView
}

async function place({ person, user }: Pilgrim): Promise<Placed> {
  const { orderId } = await person.checkout(user.id)
  const [payment] = await stack.control.paymentsOf(orderId)
  if (!payment) throw new Error('the order has a payment')
  return { orderId, payment }
}

/** A true callback that the provider has signed and that was never delivered. */
async function paidAtProvider(placed: Placed): Promise<Callback> {
  await stack.control.replay(placed.orderId, 'success')
  const [callback] = await mailBox.read(placed.payment.intentionOrderId, 1)
  if (!callback) throw new Error('the provider has sent its word')
  return callback
}

const statusOf = async (pilgrim: Pilgrim, orderId: number) => (await pilgrim.person.order(orderId)).status
/** As the database has it: reading an order may ask the provider, who knows the truth. */
async function storedStatus(orderId: number): Promise<unknown> {
  const [order] = await rows.read(sql<{ status: string }>`select status from orders where id = ${orderId}`)
  return order?.status
}
const eventsKept = async () =>
  Number((await rows.read(sql<{ count: number }>`select count(*) as count from payment_events`))[0]?.count)

/** Delivers what must be refused, and proves that nothing came of it. */
async function refused(callback: Callback): Promise<void> {
  const before = [await rows.snapshot(), await stack.control.counters()]
  const response = await fetch(`${stack.gatewayUrl}${callback.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: callback.body,
  })
  expect(problemOf(response.status, await response.json()).code).toMatch(
    /^(CALLBACK_REFUSED|INVALID_REQUEST)$/,
  )
  expect(response.status).toBeLessThan(500)
  expect([await rows.snapshot(), await stack.control.counters()]).toEqual(before)
}

describe('a callback that nobody has signed', () => {
  it.each([
    ['without a signature', () => receiveCallback.path],
    ['with an empty one', () => `${receiveCallback.path}?hmac=`],
    ['with a made-up one', () => `${receiveCallback.path}?hmac=${'a1'.repeat(64)}`],
    ['with two', () => `${receiveCallback.path}?hmac=${'a1'.repeat(64)}&hmac=${'a1'.repeat(64)}`],
    ['with one in a list', () => `${receiveCallback.path}?hmac[]=${'a1'.repeat(64)}`],
    ['with one under another name', () => `${receiveCallback.path}?HMAC=${'a1'.repeat(64)}`],
  ])('is refused %s', async (_, path) => {
    const { payment, orderId } = await place(attacker)
    await refused({ ...callbackOf(successOn(payment)), path: path() })
    expect(await storedStatus(orderId)).toBe('PENDING_PAYMENT')
  })

  it('is refused when it is signed with what a customer knows', async () => {
    const { payment } = await place(attacker)
    const transaction = successOn(payment)
    const known = [
      '',
      payment.clientSecret,
      payment.reference ?? '',
      payment.id,
      String(payment.intentionOrderId),
    ]
    for (const secret of known) await refused(callbackOf(transaction, signatureOf(transaction, secret)))
  })

  it('is refused with the signature in its body, its headers or in capitals', async () => {
    const { payment } = await place(attacker)
    const transaction = successOn(payment)
    const signature = signatureOf(transaction)
    await refused({
      path: receiveCallback.path,
      body: JSON.stringify({ ...JSON.parse(callbackOf(transaction).body), hmac: signature }),
    })
    await refused(callbackOf(transaction, signature.toUpperCase()))
    await refused(callbackOf(transaction, ` ${signature}`))
    await refused(callbackOf(transaction, signature.slice(0, 64)))
    const response = await fetch(`${stack.gatewayUrl}${receiveCallback.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', hmac: signature, 'x-signature': signature },
      body: callbackOf(transaction).body,
    })
    expect(response.status).toBe(401)
    await response.arrayBuffer()
  })
})

describe('a true callback', () => {
  it('is refused after any signed word of it was changed, and counts as it was', async () => {
    const placed = await place(attacker)
    const other = await place(victim)
    const callback = await paidAtProvider(placed)
    const transaction = transactionIn(callback)
    const changes: readonly Partial<Transaction>[] = [
      { id: transaction.id + 1 },
      { amount_cents: transaction.amount_cents + 1 },
      { amount_cents: 1 },
      { currency: 'USD' },
      { success: false },
      { pending: true },
      { error_occured: true },
      { is_voided: true },
      { is_refunded: true },
      { is_auth: true },
      { created_at: '2026-01-01T00:00:00.000000' },
      { owner: Number(transaction.owner) + 1 },
      { has_parent_transaction: true },
      { order: { ...transaction.order, id: other.payment.intentionOrderId } },
      { source_data: { ...transaction.source_data, pan: '0000' } },
    ]
    const { body, path } = callback
    for (const change of changes)
      await refused({
        path,
        body: JSON.stringify({ ...JSON.parse(body), obj: { ...transaction, ...change } }),
      })
    expect(await storedStatus(placed.orderId)).toBe('PENDING_PAYMENT')
    expect(await storedStatus(other.orderId)).toBe('PENDING_PAYMENT')
    expect(await deliver(stack.gatewayUrl, callback)).toBe(200)
    expect(await storedStatus(placed.orderId)).toBe('PAID')
    await issuedAwb(attacker.person, placed.orderId)
  })

  it('makes no second transaction by digits that move between the fields it is signed over', async () => {
    const placed = await place(attacker)
    const callback = await paidAtProvider(placed)
    expect(await deliver(stack.gatewayUrl, callback)).toBe(200)
    // Nothing of our own is still under way while others are watched.
    await issuedAwb(attacker.person, placed.orderId)
    const transaction = transactionIn(callback)
    const text = String(transaction.id)
    const posing = [text.length - 1, text.length - 2, text.length - 3]
      .map((at) => ({
        id: Number(text.slice(0, at)),
        integration_id: Number(`${text.slice(at)}${transaction.integration_id}`),
      }))
      .map((moved): Transaction => ({ ...transaction, ...moved }))
      // A zero at the front of a number is lost, and with it the signature.
      .filter((moved) => signatureOf(moved) === signatureOf(transaction))
    expect(posing.length).toBeGreaterThan(0)
    for (const each of posing) await refused(callbackOf(each))
    const refunds = await rows.read(sql`select * from refunds`)
    expect(refunds).toEqual([])
  })

  it('pays no other order by the words that are not signed', async () => {
    const cheap = await place(attacker)
    const wanted = await place(attacker)
    const callback = await paidAtProvider(cheap)
    const transaction = transactionIn(callback)
    const posing = (order: Partial<Transaction['order']>, change: object = {}) => ({
      path: callback.path,
      body: JSON.stringify({
        type: 'TRANSACTION',
        obj: { ...transaction, ...change, order: { ...transaction.order, ...order } },
      }),
    })
    const number = { extras: { order_number: wanted.orderId }, merchant_order_id: wanted.payment.reference }
    await deliver(stack.gatewayUrl, posing({ merchant_order_id: wanted.payment.reference }))
    await deliver(
      stack.gatewayUrl,
      posing({ merchant_order_id: wanted.payment.reference, amount_cents: 1 }, number),
    )
    expect(await storedStatus(wanted.orderId)).toBe('PENDING_PAYMENT')
    expect(await storedStatus(cheap.orderId)).toBe('PENDING_PAYMENT')
    expect(await shipmentsByOrder(stack.control).then((made) => made.get(wanted.orderId))).toBeUndefined()
    // The tampered copies have not taken the place of the true one.
    expect(await deliver(stack.gatewayUrl, callback)).toBe(200)
    expect(await storedStatus(cheap.orderId)).toBe('PAID')
    await issuedAwb(attacker.person, cheap.orderId)
    expect(await statusOf(attacker, wanted.orderId)).toBe('PENDING_PAYMENT')
  })

  it('counts once however often and at once it is replayed, and never for another', async () => {
    const placed = await place(attacker)
    const callback = await paidAtProvider(placed)
    const before = await eventsKept()
    const statuses = await Promise.all(Array.from({ length: 20 }, () => deliver(stack.gatewayUrl, callback)))
    expect(statuses.every((status) => status === 200)).toBe(true)
    expect(await storedStatus(placed.orderId)).toBe('PAID')
    expect(await eventsKept()).toBe(before + 1)
    expect(await shipmentsOf(stack.control, placed.orderId)).toBe(1)
    await issuedAwb(attacker.person, placed.orderId)
    expect(await deliver(stack.gatewayUrl, callback)).toBe(200)
    expect(await shipmentsOf(stack.control, placed.orderId)).toBe(1)
  })

  it.each([
    ['less', (amount: number) => ({ amount_cents: amount - 1 })],
    ['a hundredth', (amount: number) => ({ amount_cents: amount / 100 })],
    ['more', (amount: number) => ({ amount_cents: amount + 1 })],
    ['nothing', () => ({ amount_cents: 0 })],
    ['as much of another currency', () => ({ currency: 'EGP' })],
  ])('about %s than was asked never confirms, even rightly signed', async (_, change) => {
    const { payment, orderId } = await place(attacker)
    const transaction = successOn(payment, change(payment.amount))
    expect(await deliver(stack.gatewayUrl, callbackOf(transaction))).toBe(200)
    expect(await storedStatus(orderId)).toBe('PENDING_PAYMENT')
    expect((await shipmentsByOrder(stack.control)).get(orderId)).toBeUndefined()
  })

  it('about an order that nobody has is put aside, and pays nothing', async () => {
    const { payment, orderId } = await place(attacker)
    const stray = successOn({ ...payment, intentionOrderId: 123 })
    expect(await deliver(stack.gatewayUrl, callbackOf(stray))).toBe(200)
    expect(await storedStatus(orderId)).toBe('PENDING_PAYMENT')
  })
})

describe('the address of the thank-you page', () => {
  it('says nothing that the gateway believes, however well it is made up', async () => {
    const { payment, orderId } = await place(attacker)
    const transaction = successOn(payment)
    const query = new URLSearchParams({
      success: 'true',
      merchant_order_id: payment.reference ?? '',
      order: String(payment.intentionOrderId),
      id: String(transaction.id),
      amount_cents: String(payment.amount),
      txn_response_code: 'APPROVED',
      pending: 'false',
      hmac: 'a1'.repeat(64),
    })
    const before = await rows.snapshot()
    for (const path of [`/thank-you?${query}`, `/api/orders/${payment.reference}?success=true`]) {
      const { status } = await attacker.person.send('GET', path)
      expect(status).toBeLessThan(500)
    }
    expect((await attacker.person.order(payment.reference ?? '')).status).toBe('PENDING_PAYMENT')
    expect(await rows.snapshot()).toEqual(before)
    expect(await statusOf(attacker, orderId)).toBe('PENDING_PAYMENT')
  })

  it('shows nobody another’s order, paid or not', async () => {
    const theirs = await place(victim)
    const { status, problem } = await attacker.person.refusalOf(readOrder, {
      params: { id: theirs.payment.reference ?? '' },
    })
    expect([status, problem.code]).toEqual([404, 'ORDER_NOT_FOUND'])
  })
})

describe('somebody else’s payment', () => {
  it('cannot be opened again by an attacker, and is unchanged for its owner', async () => {
    const theirs = await place(victim)
    const { intentions } = await stack.control.counters()
    const { status } = await attacker.person.refusalOf(renewPayment, {
      params: { id: String(theirs.orderId) },
    })
    expect(status).toBe(404)
    expect((await stack.control.counters()).intentions).toBe(intentions)
    const mine = await victim.person.call(renewPayment, { params: { id: String(theirs.orderId) } })
    expect(mine.clientSecret).toBe(theirs.payment.clientSecret)
  })
})
