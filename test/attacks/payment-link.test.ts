import { beforeAll, describe, expect, it } from 'vitest'
import { renewPayment } from '#shared/orders/orders.operations.ts'
import { type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { sharedStack } from '#test/kit/in-process.ts'
import type { Stack } from '#test/kit/stack.ts'

/**
 * Anyone can write the address of a payment page. The server checks it: the widget opens only for the caller's own
 * unpaid order, with a secret that was issued for it, and with our own public key.
 */

let stack: Stack
let attacker: Pilgrim
let victim: Pilgrim

beforeAll(async () => {
  stack = await sharedStack()
  attacker = await signedUpPilgrim(stack)
  victim = await signedUpPilgrim(stack)
})

const createOrder = ({ person, user }: Pilgrim) => person.checkout(user.id)
const refusal = async ({ person }: Pilgrim, orderId: number | string, clientSecret: string) => {
  const { status, problem } = await person.refusalOf(renewPayment, {
    params: { id: String(orderId) },
    body: { clientSecret },
  })
  return [status, problem.code]
}

describe('a link to the payment page', () => {
  it('opens the order it was made for, with our public key', async () => {
    const { orderId, clientSecret, publicKey } = await createOrder(victim)
    const params = { id: String(orderId) }
    expect(await victim.person.call(renewPayment, { params, body: { clientSecret } })).toEqual({
      success: true,
      orderId,
      clientSecret,
      publicKey,
    })
    expect((await victim.person.call(renewPayment, { params, body: {} })).clientSecret).toBe(clientSecret)
    expect((await victim.person.call(renewPayment, { params })).clientSecret).toBe(clientSecret)
  })

  it('with the attacker’s secret and the victim’s order opens nothing', async () => {
    const theirs = await createOrder(attacker)
    const mine = await createOrder(victim)
    const { intentions } = await stack.control.counters()
    expect(await refusal(victim, mine.orderId, theirs.clientSecret)).toEqual([409, 'PAYMENT_LINK_MISMATCH'])
    expect((await stack.control.counters()).intentions).toBe(intentions)
  })
})
