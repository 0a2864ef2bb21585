import { expect, it } from 'vitest'
import { readConfig } from '#shared/config/config.operations.ts'
import { readLabel } from '#shared/orders/orders.api.ts'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'
import { readUserSession, requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { agentCodeOf, issuedAwb, newPhone, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { engineOfRun } from '#test/kit/database/fresh-postgres.ts'
import { sharedStack } from '#test/kit/gateway/in-process.ts'
import { newPerson } from '#test/kit/gateway/person.ts'

/**
 * The most statements of the busiest requests: the part of their cost that no machine changes. A number that falls is lowered
 * here; one that rises needs a reason in its commit.
 */
it('the busiest requests run no more statements than are written here', async () => {
  const stack = await sharedStack()
  const agentPhone = '+966500000103'
  const { person, user } = await signedUpPilgrim(stack)
  const agentCode = await agentCodeOf(person, agentPhone)
  await person.centers()
  const agent = newPerson(stack)
  const { id } = await agent.signInAgent(agentPhone)
  const phone = newPhone()
  const visitor = newPerson(stack)

  const counted: Record<string, number> = {}
  const count = async (what: string, work: () => Promise<unknown>) => {
    counted[what] = await stack.statementsOf(work)
  }
  await count('configuration', () => person.call(readConfig))
  await count('session', () => person.call(readUserSession))
  await count('branches', () => person.centers())
  await count('code asked for', () => visitor.call(requestOtp, { body: { phone } }))
  const body = { phone, code: await stack.control.codeFor(phone), name: 'Sara' }
  await count('code entered', () => visitor.call(verifyOtp, { body }))
  let orderId = 0
  await count('checkout', async () => {
    orderId = (await person.checkout(user.id, { agentCode })).orderId
  })
  await stack.control.replay(orderId, 'success')
  const awb = await issuedAwb(person, orderId)
  await count('order', () => person.order(orderId))
  await count('orders of a user', () => person.orders(user.id))
  await count('label', () => person.call(readLabel, { params: { awb } }))
  const readAgentOrders = () => agent.call(listAgentOrders, { params: { agentId: String(id) }, query: {} })
  await count('orders of an agent', readAgentOrders)
  await count('orders of an agent, again', readAgentOrders)
  const most: Readonly<Record<string, number>> = {
    configuration: 1,
    session: 1,
    branches: 0,
    // A code that confirms a request is ended before one that signs in is sent.
    'code asked for': 7,
    'code entered': 17,
    // PostgreSQL lets one of a user wait for the other, by a lock. Two record that the order was made and its payment opened.
    checkout: engineOfRun() === 'postgres' ? 10 : 9,
    // Compensations decide whether the owner may cancel.
    order: 6,
    'orders of a user': 6,
    label: 2,
    // Names that the agent was not shown within the hour are stored and counted.
    'orders of an agent': 7,
    'orders of an agent, again': 5,
  }
  // Fewer where a worker has just done a part, or where the last visit is not due to be stored.
  const beyond = Object.entries(counted).filter(([what, number]) => number > (most[what] ?? 0))
  expect([beyond, Object.keys(counted)]).toEqual([[], Object.keys(most)])
  // A count that has lost its requests would be below every limit.
  const lost = Object.keys(counted).filter((what) => counted[what] === 0 && most[what] !== 0)
  expect(lost).toEqual([])
})
