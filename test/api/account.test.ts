import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteUser } from '#shared/account/account.operations.ts'
import { recordHandover } from '#shared/orders/handovers.operations.ts'
import { listAgentOrders, readLabel } from '#shared/orders/orders.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { agentCodeOf, issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson, type Person, problemOf } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

const agentPhone = '+966500000101'

let stack: Stack
beforeAll(async () => {
  // The tests sign a deleted number up again at once, and give up an order that cannot be cancelled.
  stack = await ownStack({ env: { OTP_SENDS_PER_PHONE: '10/1m', CANCELLATION: 'off' } })
})
afterAll(() => stack?.close())

/** Waits for all labels of an order: no work with the partner is then pending. */
const labelOf = (person: Person, awb: string) =>
  eventually(async () => (await person.call(readLabel, { params: { awb } })).awbFile, { withinMs: 20_000 })

describe('deleting an account', () => {
  it('keeps the order and its amount for tax and for the agent, without personal data', async () => {
    const agent = newPerson(stack)
    const { id: agentId } = await agent.signInAgent(agentPhone)
    const pilgrim = await signedUpPilgrim(stack, { name: 'Zaynab Leaving' })
    const { person, user } = pilgrim
    const agentCode = await agentCodeOf(person, agentPhone)
    const orderId = await paidOrder(stack, pilgrim, { agentCode })
    const awb = await issuedAwb(person, orderId)
    await labelOf(person, awb)
    const held = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

    const refusal = await person.refusalOf(deleteUser)
    expect(refusal).toMatchObject({
      status: 409,
      problem: { code: 'ACCOUNT_HAS_PAID_ORDERS', orders: [{ orderId, amount: 50, cancellable: false }] },
    })
    await person.call(deleteUser, { query: { forfeit: '1' } })
    expect([...person.cookies.keys()].filter((name) => name !== 'lang')).toEqual([])
    const old = await newPerson(stack).send('GET', readUserSession.path, { headers: { cookie: held } })
    expect(problemOf(old.status, old.json).code).toBe('NOT_SIGNED_IN')

    const { orders } = await agent.call(listAgentOrders, { params: { agentId: String(agentId) } })
    const seen = orders.find((order) => order.orderId === orderId)
    expect(seen).toMatchObject({ status: 'PAID', user: { name: null, phone: null }, bookings: [{ awb }] })
    const bag = await agent.refusalOf(recordHandover, { body: { awb } })
    expect([bag.status, bag.problem.code]).toEqual([409, 'DO_NOT_ACCEPT'])
    const label = await agent.refusalOf(readLabel, { params: { awb } })
    expect([label.status, label.problem.code]).toEqual([410, 'LABEL_DELETED'])
    expect(JSON.stringify(orders)).not.toContain('Zaynab')

    // A later callback about the payment is still stored.
    const { callbacks } = await stack.control.replay(orderId, 'refund')
    expect(callbacks.map(({ status }) => status)).toEqual(callbacks.map(() => 200))
    const after = await agent.call(listAgentOrders, { params: { agentId: String(agentId) } })
    expect(after.orders.find((order) => order.orderId === orderId)?.status).toBe('REFUNDED')

    expect(stack.logs().filter((line) => line.includes('Zaynab') || line.includes(user.phone ?? ''))).toEqual(
      [],
    )
  })
})
