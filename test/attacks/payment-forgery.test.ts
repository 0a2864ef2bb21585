import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statusExpression } from '#server/platform/database/order-status.ts'
import { receiveCallback } from '#shared/payments/payments.api.ts'
import type { Transaction } from '#shared/wire/payment/payment.wire.ts'
import { issuedAwb, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import { problemOf } from '#test/kit/gateway/person.ts'
import {
  type Callback,
  callbackOf,
  deliver,
  type MailBox,
  openMailBox,
  successOn,
  transactionIn,
} from '#test/kit/orders/callbacks.ts'
import { shipmentsByOrder } from '#test/kit/orders/shipments.ts'
import type { PaymentView } from '#test/kit/programs/control.ts'
import type { Stack } from '#test/kit/programs/stack.ts'

/**
 * Only a signed callback or an inquiry makes an order paid. The attacker here is a customer, who knows the client secret
 * of their own order, and the signature of their own payment from the address of the provider's redirect.
 */

let mailBox: MailBox
let stack: Stack
let rows: Rows
let attacker: Pilgrim

beforeAll(async () => {
  mailBox = await openMailBox()
  stack = await ownStack({ env: { CALLBACK_URL: mailBox.url } })
  rows = openRows(stack)
  attacker = await signedUpPilgrim(stack)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
  await mailBox?.close()
})

interface CreatedOrder {
  readonly orderId: number
  readonly payment: PaymentView
}

async function createOrder({ person, user }: Pilgrim): Promise<CreatedOrder> {
  const { orderId } = await person.checkout(user.id)
  const [payment] = await stack.control.paymentsOf(orderId)
  if (!payment) throw new Error('the order has a payment')
  return { orderId, payment }
}

/** A genuine callback that the provider has signed and never delivered. */
async function paidAtProvider(created: CreatedOrder): Promise<Callback> {
  await stack.control.replay(created.orderId, 'success')
  const [callback] = await mailBox.read(created.payment.intentionOrderId, 1)
  if (!callback) throw new Error('the provider has sent its word')
  return callback
}

const statusOf = async (pilgrim: Pilgrim, orderId: number) => (await pilgrim.person.order(orderId)).status
/** The status in the database: reading the order by the API could inquire at the provider. */
async function storedStatus(orderId: number): Promise<unknown> {
  const [order] = await rows.read(
    sql<{ status: string }>`select ${sql.raw(statusExpression)} as status from orders where id = ${orderId}`,
  )
  return order?.status
}

/** A callback that the provider has not signed, as `change` sends it. It must be refused and have no effect. */
async function refused(path: string, change: { body?: object; headers?: Record<string, string> } = {}) {
  const { payment, orderId } = await createOrder(attacker)
  const before = [await rows.snapshot(), await stack.control.counters()]
  const response = await fetch(`${stack.gatewayUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...change.headers },
    body: JSON.stringify({ ...JSON.parse(callbackOf(successOn(payment)).body), ...change.body }),
  })
  expect(problemOf(response.status, await response.json()).code).toMatch(
    /^(CALLBACK_REFUSED|INVALID_REQUEST)$/,
  )
  expect(response.status).toBeLessThan(500)
  expect([await rows.snapshot(), await stack.control.counters()]).toEqual(before)
  expect(await storedStatus(orderId)).toBe('PENDING_PAYMENT')
}

const { path } = receiveCallback
const madeUp = 'a1'.repeat(64)

// That no signature but the right one is accepted: server/features/payments/payments.provider.http.test.ts.
it.each<[string, () => Promise<void>]>([
  ['no signature', () => refused(path)],
  ['an empty one', () => refused(`${path}?hmac=`)],
  ['a made-up one', () => refused(`${path}?hmac=${madeUp}`)],
  ['two', () => refused(`${path}?hmac=${madeUp}&hmac=${madeUp}`)],
  ['one in a list', () => refused(`${path}?hmac[]=${madeUp}`)],
  ['one under another name', () => refused(`${path}?HMAC=${madeUp}`)],
  ['one in its body', () => refused(path, { body: { hmac: madeUp } })],
  ['one in its headers', () => refused(path, { headers: { hmac: madeUp, 'x-signature': madeUp } })],
])('a callback with %s is refused and has no effect', (_, attack) => attack())

describe('a genuine callback', () => {
  it('pays no other order by changed unsigned fields', async () => {
    const cheap = await createOrder(attacker)
    const wanted = await createOrder(attacker)
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
    // The tampered copies do not prevent the genuine one from counting.
    expect(await deliver(stack.gatewayUrl, callback)).toBe(200)
    expect(await storedStatus(cheap.orderId)).toBe('PAID')
    await issuedAwb(attacker.person, cheap.orderId)
    expect(await statusOf(attacker, wanted.orderId)).toBe('PENDING_PAYMENT')
  })
})

describe('the address of the thank-you page', () => {
  it('never makes an order paid', async () => {
    const { payment, orderId } = await createOrder(attacker)
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
})
