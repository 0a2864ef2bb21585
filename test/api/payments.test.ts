import { beforeAll, describe, expect, it } from 'vitest'
import { renewPayment } from '#shared/orders/orders.operations.ts'
import { issuedAwb, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { sharedStack } from '#test/kit/in-process.ts'
import type { Stack } from '#test/kit/stack.ts'

let stack: Stack
let pilgrim: Pilgrim
beforeAll(async () => {
  stack = await sharedStack()
  pilgrim = await signedUpPilgrim(stack)
})

const statusOf = async (orderId: number) => (await pilgrim.person.order(orderId)).status
const createOrder = async () => (await pilgrim.person.checkout(pilgrim.user.id)).orderId

/** Shipments the partner has made for an order, whatever their number of pieces. */
async function shipmentsOf(orderId: number): Promise<number> {
  const order = await pilgrim.person.order(orderId)
  const awbs = order.bookings.map(({ awb }) => awb)
  const made = (await stack.control.shipments()).filter(({ awb }) => awbs.includes(awb))
  return made.reduce((sum, { createdAt }) => sum + createdAt.length, 0)
}

describe('the callback of the provider', () => {
  it('is replaced by an inquiry when it is lost', async () => {
    const orderId = await createOrder()
    await stack.control.replay(orderId, 'success', { callback: 'lose' })
    await eventually(async () => ((await statusOf(orderId)) === 'PAID' ? true : undefined))
    expect(await issuedAwb(pilgrim.person, orderId)).toMatch(/^\d{12}$/)
  })
})

describe('the card that is charged another amount', () => {
  const wrongCard = '4000000000000614'
  const goodCard = '5123456789012346'

  /** Pays as the card form does. */
  async function payBy(number: string, secret: { clientSecret: string; publicKey: string }) {
    const answer = await fetch(`${stack.mockUrl}/payment/widget/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        publicKey: secret.publicKey,
        clientSecret: secret.clientSecret,
        number,
        expiry: '01/39',
      }),
    })
    expect(answer.status).toBe(200)
  }

  it('does not pay: the money is refunded, and the order is paid again in full', async () => {
    const { person, user } = pilgrim
    const started = await person.checkout(user.id)
    const { orderId } = started
    await payBy(wrongCard, started)
    await eventually(async () => ((await person.order(orderId)).payable ? true : undefined))
    const returned = await person.order(orderId)
    expect(returned).toMatchObject({ status: 'PENDING_PAYMENT', refund: { state: 'done', amount: 49 } })
    const again = await person.call(renewPayment, { params: { id: String(orderId) } })
    expect(again.clientSecret).not.toBe(started.clientSecret)
    await payBy(goodCard, again)
    expect(await person.order(orderId)).toMatchObject({
      status: 'PAID',
      refund: { state: 'done', amount: 49 },
    })
    await issuedAwb(person, orderId)
    expect(await shipmentsOf(orderId)).toBe(1)

    const payments = (await stack.control.paymentsOf(orderId)).flatMap(({ transactions }) => transactions)
    const kept = payments
      .filter(({ kind, success }) => kind === 'payment' && success)
      .map(({ amount, refundedAmount }) => [amount, refundedAmount])
    expect(kept.toSorted()).toEqual([
      [4_900, 4_900],
      [5_000, 0],
    ])
  })
})
