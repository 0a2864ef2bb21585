import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { newPhone, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person, problemOf } from '#test/kit/gateway/person.ts'
import { ask, type Headers, headerOf } from '#test/kit/gateway/raw-http.ts'
import type { Counters } from '#test/kit/programs/control.ts'
import type { Stack } from '#test/kit/programs/stack.ts'

/** A page of another site in the user's browser can send requests with the cookies, and must not change anything. */

let stack: Stack
let rows: Rows
let pilgrim: Pilgrim
let agent: Person
let bodies: Readonly<Record<string, unknown>>
let paths: Readonly<Record<string, string>>

const changing = Object.entries<OperationShape>(operations).filter(
  ([, { method, access }]) => method !== 'GET' && !['provider', 'browser', 'tester'].includes(access),
)

beforeAll(async () => {
  stack = await ownStack()
  rows = openRows(stack)
  pilgrim = await signedUpPilgrim(stack)
  agent = newPerson(stack)
  await agent.signInAgent('+966500000101')
  const { person, user } = pilgrim
  const offer = await person.offer(user.id)
  const { userId: _, amount, ...booking } = offer
  const { orderId } = await person.checkout(user.id)
  const dropped = await person.checkout(user.id)
  bodies = {
    requestOtp: { phone: newPhone() },
    verifyOtp: { phone: newPhone(), code: '1234', name: 'Sara' },
    sendAgentOtp: { phone: '+966500000103' },
    verifyAgentOtp: { phone: '+966500000103', code: '1234' },
    checkout: offer,
    createPaymentOrder: { userId: user.id, amount, bookingDetails: booking },
  }
  paths = {
    renewPayment: `/api/orders/${orderId}/payment`,
    cancelOrder: `/api/orders/${dropped.orderId}/cancel`,
  }
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const cookieOf = ({ cookies }: Person) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Valid requests, apart from their origin. */
async function sendFrom(
  name: string,
  operation: OperationShape,
  headers: Headers,
  body = bodies[name] ?? {},
) {
  const person = operation.access === 'agent' ? agent : pilgrim.person
  const target = paths[name] ?? operation.path.replace(/:\w+/g, crypto.randomUUID())
  return ask(stack.gatewayUrl, {
    method: operation.method,
    target,
    headers: [['cookie', cookieOf(person)], ['content-type', 'application/json'], ...headers],
    body: JSON.stringify(body),
  })
}

/** Runs `attempt` and checks that it had no effect: no row, no SMS, no payment, no shipment. */
async function withoutEffect(attempt: () => Promise<void>): Promise<void> {
  const storedCodes = async () => (await rows.read(sql<{ id: string }>`select id from otp_challenges`)).length
  const state = async (): Promise<[Counters, unknown, number]> => [
    await stack.control.counters(),
    await rows.snapshot(),
    await storedCodes(),
  ]
  const before = await state()
  await attempt()
  expect(await state()).toEqual(before)
}

/** Every other origin is refused by the same rule: server/platform/plugins/same-origin.test.ts. */
const sources: readonly (readonly [string, Headers])[] = [
  ['another site', [['sec-fetch-site', 'cross-site']]],
  ['nowhere', []],
]

describe.each(changing)('%s', (name, operation) => {
  it('is refused from every origin that is not ours, and has no effect', async () => {
    await withoutEffect(async () => {
      for (const [origin, headers] of sources) {
        const { status, body } = await sendFrom(name, operation, headers)
        expect(status, origin).toBe(403)
        expect(problemOf(status, JSON.parse(body.toString())).code, origin).toBe('FORBIDDEN_ORIGIN')
      }
    })
  })
})

describe('reading', () => {
  it('changes nothing, from any origin', async () => {
    await withoutEffect(async () => {
      for (const { method, path } of Object.values<OperationShape>(operations)) {
        if (method !== 'GET') continue
        const answer = await pilgrim.person.send('GET', path.replace(/:\w+/g, '1'), {
          headers: { 'sec-fetch-site': 'cross-site' },
        })
        expect(answer.status).toBeLessThan(500)
      }
    })
  })

  it('is not shared with other sites: no answer carries a CORS header, no preflight is answered', async () => {
    for (const { method, path } of Object.values<OperationShape>(operations)) {
      const target = path.replace(/:\w+/g, '1')
      const origin: Headers = [['origin', 'https://elsewhere.example']]
      const preflight = await ask(stack.gatewayUrl, {
        method: 'OPTIONS',
        target,
        headers: [...origin, ['access-control-request-method', method]],
      })
      expect(preflight.status, target).toBeGreaterThanOrEqual(400)
      const read = await ask(stack.gatewayUrl, { method: 'GET', target, headers: origin })
      for (const answer of [preflight, read]) {
        expect(answer.headers.filter(([name]) => name.startsWith('access-control'))).toEqual([])
        expect(headerOf(answer, 'cross-origin-resource-policy')).toBe('same-origin')
      }
    }
  })
})
