import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { newPhone, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { sharedStack } from '#test/kit/in-process.ts'
import { newPerson, type Person, problemOf } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

let stack: Stack
let pilgrim: Pilgrim
let agent: { person: Person; id: number }
let bodies: Record<string, Record<string, unknown>>

beforeAll(async () => {
  stack = await sharedStack()
  pilgrim = await signedUpPilgrim(stack)
  const person = newPerson(stack)
  agent = { person, id: (await person.signInAgent('+966500000101')).id }
  const booking = {
    type: 'FROM_MINA',
    noOfPackages: 1,
    agentCode: (await person.agents())[0]?.id,
    centerCode: (await person.centers())[0]?.code,
  }
  const phone = newPhone()
  bodies = {
    requestOtp: { phone },
    verifyOtp: { phone, code: '1234', name: 'Sara' },
    updateUser: { name: 'Sara' },
    sendAgentOtp: { phone },
    verifyAgentOtp: { phone, code: '1234' },
    checkout: { userId: pilgrim.user.id, amount: 50, ...booking },
    createPaymentOrder: { userId: pilgrim.user.id, amount: 50, bookingDetails: booking },
    renewPayment: {},
    cancelOrder: {},
    createShare: {},
    endShare: {},
    subscribePush: {
      endpoint: 'https://fcm.googleapis.com/fcm/send/one',
      p256dh: `B${'A'.repeat(86)}`,
      auth: 'A'.repeat(22),
    },
    unsubscribePush: {},
    recordHandover: { awb: '290012345678' },
    logoutEverywhere: {},
    deleteUser: {},
  }
})

/** These come from any origin: the provider's callback, reports of browsers, and calls that need the testers' key. */
const isUnasked = ({ access }: OperationShape) => ['provider', 'browser', 'tester'].includes(access)
/** The operations that take a body. */
const withBody: [string, OperationShape][] = Object.entries<OperationShape>(operations).filter(
  ([name, operation]) => operation.body !== undefined && !isUnasked(operation) && name !== 'logout',
)
const changing: [string, OperationShape][] = Object.entries<OperationShape>(operations).filter(
  ([, operation]) => operation.method !== 'GET' && !isUnasked(operation),
)

const principalOf = ({ access }: OperationShape) =>
  access === 'user' ? pilgrim.person : access === 'agent' ? agent.person : newPerson(stack)
const pathOf = ({ path }: OperationShape) => path.replace(/:\w+/g, '1')

function post(operation: OperationShape, request: Parameters<Person['send']>[2]) {
  return principalOf(operation).send(operation.method, pathOf(operation), request)
}

async function refusedFields(operation: OperationShape, body: unknown, status = 400) {
  const answer = await post(operation, { body })
  expect(answer.status, JSON.stringify(answer.json)).toBe(status)
  return (problemOf(answer.status, answer.json).fields ?? []).map(({ field }) => field)
}

describe('the table of bodies', () => {
  it('has a row for every operation with a body', () => {
    expect(Object.keys(bodies).sort()).toEqual(withBody.map(([name]) => name).sort())
  })
})

describe.each(withBody)('%s', (name, operation) => {
  it('refuses a field it does not know, by name', async () => {
    expect(await refusedFields(operation, { ...bodies[name], isAdmin: true })).toContain('isAdmin')
  })

  it('refuses every field of a wrong type, by name, without converting it', async () => {
    for (const [field, value] of Object.entries(bodies[name] ?? {})) {
      const wrongs = [
        null,
        [],
        typeof value === 'string' ? 5 : 'text',
        typeof value === 'number' ? String(value) : {},
      ]
      for (const wrong of wrongs) {
        const fields = await refusedFields(operation, { ...bodies[name], [field]: wrong })
        expect(
          fields.every((each) => each === field || each.startsWith(`${field}.`)),
          `${field} as ${JSON.stringify(wrong)}: ${fields}`,
        ).toBe(true)
        expect(fields.length).toBeGreaterThan(0)
      }
    }
  })

  it('refuses a missing field, by name', async () => {
    const required = Object.keys(bodies[name] ?? {}).filter((field) => field !== 'name')
    for (const field of required) {
      const { [field]: _, ...rest } = bodies[name] ?? {}
      expect(await refusedFields(operation, rest)).toEqual([field])
    }
  })

  it('refuses a body that is not an object', async () => {
    for (const rawBody of ['[]', '"text"', '1', 'true']) {
      const answer = await post(operation, { rawBody })
      expect(answer.status, rawBody).toBe(400)
      expect(problemOf(answer.status, answer.json).code).toBe('INVALID_REQUEST')
    }
  })

  it('refuses a body that is not JSON', async () => {
    for (const rawBody of ['{', '{"phone":', "{'phone': 1}", '\u0000', '{"a":1}}']) {
      const answer = await post(operation, { rawBody })
      expect(answer.status, rawBody).toBe(400)
      expect(problemOf(answer.status, answer.json).code).toBe('INVALID_REQUEST')
    }
  })

  it('refuses keys that name prototypes', async () => {
    const rawBody = `${JSON.stringify(bodies[name]).slice(0, -1)}${Object.keys(bodies[name] ?? {}).length === 0 ? '' : ','}"__proto__":{"isAdmin":true}}`
    const answer = await post(operation, { rawBody })
    expect(answer.status).toBe(400)
    problemOf(answer.status, answer.json)
  })

  it('refuses a body beyond its limit', async () => {
    const answer = await post(operation, { body: { ...bodies[name], name: 'x'.repeat(200_000) } })
    expect(answer.status).toBe(413)
    expect(problemOf(answer.status, answer.json).code).toBe('BODY_TOO_LARGE')
  })

  it('accepts only JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
    ]) {
      const answer = await post(operation, { body: bodies[name], headers: { 'content-type': type } })
      expect(answer.status, type).toBe(415)
      expect(problemOf(answer.status, answer.json).code).toBe('UNSUPPORTED_MEDIA_TYPE')
    }
  })
})

describe.each(changing)('%s', (name, operation) => {
  it.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['none', { 'sec-fetch-site': 'none' }],
  ])('refuses to be called from another page: %s', async (_, headers) => {
    const answer = await post(operation, { body: bodies[name] ?? undefined, headers })
    expect(answer.status).toBe(403)
    expect(problemOf(answer.status, answer.json).code).toBe('FORBIDDEN_ORIGIN')
  })

  it('refuses a request without origin, and one from another origin', async () => {
    for (const headers of [{}, { origin: 'https://elsewhere.example' }, { origin: 'null' }]) {
      const response = await fetch(`${stack.gatewayUrl}${pathOf(operation)}`, {
        method: operation.method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(bodies[name] ?? {}),
      })
      expect(response.status).toBe(403)
      expect(problemOf(response.status, await response.json()).code).toBe('FORBIDDEN_ORIGIN')
    }
  })
})

describe('a checkout that does not fit is refused by name', () => {
  it.each([
    ['amount', { amount: 1 }],
    ['amount', { amount: 49.999 }],
    ['amount', { amount: -50 }],
    ['noOfPackages', { noOfPackages: 2 }],
    ['agentCode', { agentCode: 'unknown' }],
    ['centerCode', { centerCode: 'nowhere' }],
    ['type', { type: 'TO_MINA' }],
    ['userId', { userId: 999_999 }],
  ])('%s: %o', async (field, change) => {
    expect(await refusedFields(operations.checkout, { ...bodies.checkout, ...change }, 422)).toContain(field)
  })

  it('names all faults at once', async () => {
    const change = { amount: 1, noOfPackages: 3, agentCode: 'unknown', centerCode: 'nowhere' }
    const fields = await refusedFields(operations.checkout, { ...bodies.checkout, ...change }, 422)
    expect(fields.sort()).toEqual(['agentCode', 'amount', 'centerCode', 'noOfPackages'])
  })
})

describe('paths and queries', () => {
  it.each([
    '/api/orders/user/abc',
    '/api/orders/user/-1',
    '/api/orders/user/1e3',
    '/api/orders/user/0',
    '/api/orders/user/9999999999999999999999',
    '/api/orders/user/1?limit=0',
    '/api/orders/user/1?limit=101',
    '/api/orders/user/1?limit=20&limit=30',
    '/api/orders/user/1?page=2',
    "/api/orders/user/1?cursor=1'%20or%201=1",
    '/api/orders/barcode/abc',
    "/api/orders/1'%20or%20'1'='1",
    '/api/orders/%00',
    '/api/orders/..%2f..%2fetc',
  ])('%s is refused as a bad request', async (path) => {
    const answer = await pilgrim.person.send('GET', path)
    expect(answer.status, JSON.stringify(answer.json)).toBe(400)
    const problem = problemOf(answer.status, answer.json)
    expect(problem.code).toBe('INVALID_REQUEST')
  })

  it.each(['/api', '/api/', '/api/nothing', '/api/auth', '/api/orders', '/api/checkout/1'])(
    '%s is a JSON 404',
    async (path) => {
      const answer = await pilgrim.person.send('GET', path)
      expect(answer.status).toBe(404)
      expect(problemOf(answer.status, answer.json).code).toBe('NOT_FOUND')
    },
  )
})
