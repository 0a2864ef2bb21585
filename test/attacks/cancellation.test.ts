import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelOrder, listAgentOrders, renewPayment } from '#shared/orders/orders.operations.ts'
import {
  agentCodeOf,
  issuedAwb,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { callbackOf, deliver, successOn } from '#test/kit/callbacks.ts'
import { eventually } from '#test/kit/eventually.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

/** Cancelling returns money: only the owner can, once, and only for what was paid. */

const agentPhone = '+966500000101'

let stack: Stack
let victim: Pilgrim
let attacker: Pilgrim
let agent: Person
let agentId: number
let agentCode: string

beforeAll(async () => {
  stack = await ownStack({ env: { OPEN_ORDERS_PER_USER: '5' } })
  ;[victim, attacker] = await Promise.all([signedUpPilgrim(stack), signedUpPilgrim(stack)])
  agent = newPerson(stack)
  agentId = (await agent.signInAgent(agentPhone)).id
  agentCode = await agentCodeOf(agent, agentPhone)
})
afterAll(() => stack?.close())

const paramsOf = (orderId: number) => ({ params: { id: String(orderId) } })

async function refusalTo(person: Person, orderId: number, headers: Record<string, string> = {}) {
  const { status, problem } = await person.refusalOf(cancelOrder, { ...paramsOf(orderId), headers })
  return [status, problem.code]
}

/** Halalas charged and returned for an order at the provider. */
async function moneyOf(orderId: number) {
  const transactions = (await stack.control.paymentsOf(orderId)).flatMap((payment) => payment.transactions)
  const charges = transactions.filter(({ kind, success }) => kind === 'payment' && success)
  return {
    charged: charges.reduce((sum, { amount }) => sum + amount, 0),
    returned: charges.reduce((sum, { refundedAmount }) => sum + refundedAmount, 0),
  }
}

const untilRefunded = ({ person }: Pilgrim, orderId: number) =>
  eventually(async () => ((await person.order(orderId)).status === 'REFUNDED' ? true : undefined))

describe('another user', () => {
  it('cannot cancel an order, and is told no more than of one that does not exist', async () => {
    const orderId = await paidOrder(stack, victim)
    expect(await refusalTo(attacker.person, orderId)).toEqual([404, 'ORDER_NOT_FOUND'])
    expect(await refusalTo(attacker.person, 999_999_999)).toEqual([404, 'ORDER_NOT_FOUND'])
    expect((await victim.person.order(orderId)).status).toBe('PAID')
  })

  it('gains nothing from a key that its owner used', async () => {
    const headers = { 'idempotency-key': 'shared-key-0001' }
    const theirs = await paidOrder(stack, victim)
    await victim.person.call(cancelOrder, { ...paramsOf(theirs), headers })
    expect(await refusalTo(attacker.person, theirs, headers)).toEqual([404, 'ORDER_NOT_FOUND'])
    const own = await paidOrder(stack, attacker)
    await attacker.person.call(cancelOrder, { ...paramsOf(own), headers })
    expect((await attacker.person.order(own)).status).not.toBe('PAID')
  })
})

describe('an agent', () => {
  it('cannot cancel an order that is assigned to it', async () => {
    const orderId = await paidOrder(stack, victim, { agentCode })
    expect(await refusalTo(agent, orderId)).toEqual([403, 'WRONG_ROLE'])
  })

  it('finds a cancelled order among those to refuse, at once, and without its label', async () => {
    const orderId = await paidOrder(stack, victim, { agentCode })
    const awb = await issuedAwb(victim.person, orderId)
    await victim.person.call(cancelOrder, paramsOf(orderId))
    const listed = async (state: 'waiting' | 'refused') =>
      (
        await agent.call(listAgentOrders, {
          params: { agentId: String(agentId) },
          query: { state, q: awb },
        })
      ).orders.map((order) => order.orderId)
    expect(await listed('waiting')).toEqual([])
    expect(await listed('refused')).toEqual([orderId])
    for (const person of [agent, victim.person]) {
      const label = await person.send('GET', `/api/orders/barcode/${awb}.pdf`)
      expect([label.status, (label.json as { code: string }).code]).toEqual([410, 'LABEL_WITHDRAWN'])
    }
  })

  it('never sees an order that was dropped before it was paid, nor whose it is', async () => {
    const { orderId } = await victim.person.checkout(victim.user.id, { agentCode })
    await victim.person.call(cancelOrder, paramsOf(orderId))
    const answer = await agent.send('GET', `/api/orders/${orderId}`)
    expect(answer.status).toBe(404)
    const { orders } = await agent.call(listAgentOrders, {
      params: { agentId: String(agentId) },
      query: { q: `OD-${orderId}` },
    })
    expect(orders).toEqual([])
  })
})

describe('the money', () => {
  it('goes back once, however often and under whatever keys it is asked for', async () => {
    const orderId = await paidOrder(stack, victim)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        victim.person.send('POST', `/api/orders/${orderId}/cancel`, {
          headers: index % 2 === 0 ? { 'idempotency-key': `try-number-${index % 4}` } : {},
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    await untilRefunded(victim, orderId)
    await victim.person.call(cancelOrder, paramsOf(orderId))
    expect(await moneyOf(orderId)).toEqual({ charged: 5_000, returned: 5_000 })
    expect((await stack.control.counters()).refunds).toBeGreaterThan(0)
  })

  it('of an order that was never paid cannot be claimed', async () => {
    const { orderId } = await attacker.person.checkout(attacker.user.id)
    const { order } = await attacker.person.call(cancelOrder, paramsOf(orderId))
    expect(order).toMatchObject({ status: 'CANCELLED', payable: false })
    expect(order).not.toHaveProperty('refund')
    expect(await moneyOf(orderId)).toEqual({ charged: 0, returned: 0 })
  })

  it('of a forged success after the cancellation is not sent', async () => {
    const { orderId } = await attacker.person.checkout(attacker.user.id)
    const [payment] = await stack.control.paymentsOf(orderId)
    if (!payment) throw new Error('the provider knows no payment of the order')
    await attacker.person.call(cancelOrder, paramsOf(orderId))
    const forged = callbackOf(successOn(payment), '0'.repeat(128))
    expect(await deliver(stack.gatewayUrl, forged)).toBe(401)
    expect(await attacker.person.order(orderId)).not.toHaveProperty('refund')
  })
})

describe('a key', () => {
  it('of one request is refused for another order and for a checkout', async () => {
    const headers = { 'idempotency-key': 'one-intention-1' }
    const first = await paidOrder(stack, victim)
    const other = await paidOrder(stack, victim)
    await victim.person.call(cancelOrder, { ...paramsOf(first), headers })
    expect(await refusalTo(victim.person, other, headers)).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect((await victim.person.order(other)).status).toBe('PAID')
  })
})

describe('the card page', () => {
  it('does not open with the secret of a cancelled order, and a payment made with it goes back', async () => {
    const { orderId, clientSecret } = await victim.person.checkout(victim.user.id)
    await victim.person.call(cancelOrder, paramsOf(orderId))
    const { status, problem } = await victim.person.refusalOf(renewPayment, {
      ...paramsOf(orderId),
      body: { clientSecret },
    })
    expect([status, problem.code]).toEqual([409, 'ORDER_NOT_PAYABLE'])
    await stack.control.replay(orderId, 'success')
    await untilRefunded(victim, orderId)
    expect(await moneyOf(orderId)).toEqual({ charged: 5_000, returned: 5_000 })
  })
})

it('dropping orders does not lift the limit of those that one account may have open', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  for (let count = 0; count < 5; count += 1) {
    const { orderId } = await pilgrim.person.checkout(pilgrim.user.id)
    await pilgrim.person.call(cancelOrder, paramsOf(orderId))
  }
  const [[chosen], [center]] = await Promise.all([pilgrim.person.agents(), pilgrim.person.centers()])
  const answer = await pilgrim.person.send('POST', '/api/checkout', {
    body: {
      userId: pilgrim.user.id,
      type: 'FROM_MINA',
      noOfPackages: 1,
      agentCode: chosen?.id,
      centerCode: center?.code,
      amount: 50,
    },
  })
  expect([answer.status, (answer.json as { code: string }).code]).toEqual([409, 'TOO_MANY_OPEN_ORDERS'])
})
