import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Transaction } from '#shared/wire/payment/payment.wire.ts'
import { issuedAwb, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import {
  type Callback,
  callbackOf,
  deliver,
  type MailBox,
  openMailBox,
  signatureOf,
  transactionIn,
} from '#test/kit/callbacks.ts'
import { ownStack } from '#test/kit/in-process.ts'
import type { Stack } from '#test/kit/stack.ts'

/**
 * The provider joins the signed fields without separators. An attacker who has a genuine callback, or its redirect, can
 * divide the text into other fields: the signature still matches.
 */

let mailBox: MailBox
let stack: Stack
let attacker: Pilgrim

beforeAll(async () => {
  mailBox = await openMailBox()
  stack = await ownStack({ env: { CALLBACK_URL: mailBox.url } })
  attacker = await signedUpPilgrim(stack)
})
afterAll(async () => {
  await stack?.close()
  await mailBox?.close()
})

/** An order that is paid at the provider, whose genuine callback has not arrived. */
async function paidAtProvider(): Promise<{ orderId: number; callback: Callback; transaction: Transaction }> {
  const { orderId } = await attacker.person.checkout(attacker.user.id)
  await stack.control.replay(orderId, 'success')
  const [payment] = await stack.control.paymentsOf(orderId)
  const [callback] = await mailBox.read(payment?.intentionOrderId ?? 0, 1)
  if (!callback) throw new Error('the provider has sent its word')
  return { orderId, callback, transaction: transactionIn(callback) }
}

describe('a callback with the signed text divided into other fields', () => {
  it.each<[string, (amount: string, createdAt: string) => { amount_cents: number; created_at: string }]>([
    [
      'takes a digit from the amount',
      (amount, at) => ({ amount_cents: Number(amount.slice(0, -1)), created_at: `${amount.slice(-1)}${at}` }),
    ],
    [
      'gives a digit to the amount',
      (amount, at) => ({ amount_cents: Number(`${amount}${at.slice(0, 1)}`), created_at: at.slice(1) }),
    ],
  ])('%s, is refused, and the genuine one pays', async (_, cut) => {
    const { orderId, callback, transaction } = await paidAtProvider()
    const posing = { ...transaction, ...cut(String(transaction.amount_cents), transaction.created_at) }
    expect(signatureOf(posing)).toBe(signatureOf(transaction))
    expect(await deliver(stack.gatewayUrl, callbackOf(posing))).toBe(401)
    expect(await deliver(stack.gatewayUrl, callback)).toBe(200)
    const order = await attacker.person.order(orderId)
    expect(order.status).toBe('PAID')
    expect(order).not.toHaveProperty('refund')
    await issuedAwb(attacker.person, orderId)
    expect((await stack.control.counters()).refunds).toBe(0)
  })
})
