import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteUser, exportUser } from '#shared/account/account.operations.ts'
import { AccountExport } from '#shared/account/account.schemas.ts'
import { recordHandover } from '#shared/orders/handovers.operations.ts'
import { listAgentOrders, readLabel } from '#shared/orders/orders.operations.ts'
import {
  endSession,
  listSessions,
  logoutEverywhere,
  readUserSession,
} from '#shared/sessions/sessions.operations.ts'
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

async function exportOf(person: Person): Promise<AccountExport> {
  const { status, json } = await person.send('GET', exportUser.path)
  if (status !== 200) throw new Error(`the file was answered with ${status}: ${JSON.stringify(json)}`)
  return Value.Parse(AccountExport, json)
}

/** Waits for all labels of an order: no work with the partner is then pending. */
const labelOf = (person: Person, awb: string) =>
  eventually(async () => (await person.call(readLabel, { params: { awb } })).awbFile, { withinMs: 20_000 })

describe('the sessions of a user', () => {
  it('are listed, ended one by one, and ended all at once', async () => {
    const { person, user } = await signedUpPilgrim(stack)
    const held = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { sessions } = await person.call(listSessions)
    expect(sessions).toMatchObject([{ isCurrent: true }])
    const [own] = sessions
    const stranger = (await signedUpPilgrim(stack)).person
    const refusal = await stranger.refusalOf(endSession, { params: { id: own?.id ?? '' } })
    expect([refusal.status, refusal.problem.code]).toEqual([404, 'SESSION_NOT_FOUND'])

    await person.call(logoutEverywhere)
    const { json, status } = await newPerson(stack).send('GET', readUserSession.path, {
      headers: { cookie: held },
    })
    expect(problemOf(status, json).code).toBe('NOT_SIGNED_IN')
    expect(await stranger.call(readUserSession)).not.toMatchObject({ userId: user.id })
  })
})

describe('the export of an account', () => {
  it('holds profile, sessions, codes, orders, airway bills and payments', async () => {
    const pilgrim = await signedUpPilgrim(stack, { name: 'فاطمة نور' })
    const orderId = await paidOrder(stack, pilgrim)
    const awb = await issuedAwb(pilgrim.person, orderId)
    await labelOf(pilgrim.person, awb)
    const [payment] = await stack.control.paymentsOf(orderId)

    const { headers } = await pilgrim.person.send('GET', exportUser.path)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.json"$/)
    expect(headers.get('cache-control')).toBe('no-store')
    const file = await exportOf(pilgrim.person)
    expect(file.profile).toMatchObject({
      userId: pilgrim.user.id,
      name: 'فاطمة نور',
      phone: pilgrim.user.phone,
    })
    expect(file.sessions).toMatchObject([{ isCurrent: true }])
    expect(file.codes).not.toEqual([])
    expect(file.orders).toMatchObject([
      {
        orderId,
        status: 'PAID',
        amountHalalas: 5_000,
        bookings: [{ awb, labelState: 'issued', state: 'READY', lastEventAt: null, events: [] }],
        payments: [{ reference: payment?.reference, state: 'succeeded', events: [{ outcome: 'applied' }] }],
      },
    ])
    const label = file.orders[0]?.bookings[0]?.label ?? ''
    expect((await pilgrim.person.send('GET', label)).headers.get('content-type')).toBe('application/pdf')
    const text = JSON.stringify(file)
    for (const secret of [payment?.clientSecret ?? 'none', ...pilgrim.person.cookies.values()])
      expect(text).not.toContain(secret)
  })
})

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
