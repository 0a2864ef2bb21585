import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { ownStack } from '#test/kit/in-process.ts'
import type { Stack } from '#test/kit/stack.ts'

/** Every checkout creates an intention at the provider, so the unpaid orders of an account are limited. */

const limit = 5
let stack: Stack
let attacker: Pilgrim

beforeAll(async () => {
  stack = await ownStack({ limits: { openOrdersPerUser: limit } })
  attacker = await signedUpPilgrim(stack)
})
afterAll(() => stack?.close())

async function wishOf({ person, user }: Pilgrim) {
  const [[agent], [center]] = await Promise.all([person.agents(), person.centers()])
  if (!agent || !center) throw new Error('there is nothing on offer')
  return {
    userId: user.id,
    type: 'FROM_MINA',
    noOfPackages: 1,
    agentCode: agent.id,
    centerCode: center.code,
    amount: 50,
  } as const
}

it('thirty simultaneous checkouts of one account create no more orders and intentions than the limit', async () => {
  const body = await wishOf(attacker)
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => attacker.person.send('POST', checkout.path, { body })),
  )
  const codes = answers.map(({ status, json }) => (status === 200 ? 200 : (json as { code: string }).code))
  expect(codes.filter((code) => code === 200)).toHaveLength(limit)
  expect(codes.filter((code) => code === 'TOO_MANY_OPEN_ORDERS')).toHaveLength(30 - limit)
  expect((await stack.control.counters()).intentions).toBe(limit)
  expect(await attacker.person.orders(attacker.user.id)).toHaveLength(limit)
})

it('a family that pays for one bag after the other meets no limit', async () => {
  const family = await signedUpPilgrim(stack)
  for (let bag = 0; bag < 3 * limit; bag += 1) {
    const { orderId } = await family.person.checkout(family.user.id)
    await stack.control.replay(orderId, 'success')
  }
  expect(await family.person.orders(family.user.id)).toHaveLength(3 * limit)
})

it('a user at the limit can order again after paying one, and the same key answers the same order', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const body = await wishOf(pilgrim)
  const headers = { 'idempotency-key': 'key-00000001' }
  const first = await pilgrim.person.call(checkout, { body, headers })
  for (let order = 1; order < limit; order += 1) await pilgrim.person.call(checkout, { body })
  const { status, problem } = await pilgrim.person.refusalOf(checkout, { body })
  expect([status, problem.code]).toEqual([409, 'TOO_MANY_OPEN_ORDERS'])
  expect((await pilgrim.person.call(checkout, { body, headers })).orderId).toBe(first.orderId)
  await stack.control.replay(first.orderId, 'success')
  await pilgrim.person.call(checkout, { body })

  // Repeating the key of the order that is now paid creates neither an order nor an intention.
  const { intentions } = await stack.control.counters()
  const again = await pilgrim.person.call(checkout, { body, headers })
  expect(again.orderId).toBe(first.orderId)
  expect((await stack.control.counters()).intentions).toBe(intentions)
  expect(await pilgrim.person.orders(pilgrim.user.id)).toHaveLength(limit + 1)
})
