import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelOrder, renewPayment } from '#shared/orders/orders.operations.ts'
import { agentCodeOf, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
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
let agentCode: string

beforeAll(async () => {
  stack = await ownStack({ limits: { openOrdersPerUser: 5 } })
  ;[victim, attacker] = await Promise.all([signedUpPilgrim(stack), signedUpPilgrim(stack)])
  agent = newPerson(stack)
  await agent.signInAgent(agentPhone)
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
