import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '#shared/operations.ts'
import { type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { sharedStack } from '#test/kit/in-process.ts'
import { type Person, problemOf } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

/**
 * Bodies, told of one operation: all are checked by the same code against closed schemas (test/repo/openapi.test.ts), and
 * test/attacks/fuzz.test.ts sends each of them generated bodies.
 */

let stack: Stack
let pilgrim: Pilgrim
let checkoutBody: Readonly<Record<string, unknown>>

beforeAll(async () => {
  stack = await sharedStack()
  pilgrim = await signedUpPilgrim(stack)
  checkoutBody = {
    userId: pilgrim.user.id,
    amount: 50,
    type: 'FROM_MINA',
    noOfPackages: 1,
    agentCode: (await pilgrim.person.agents())[0]?.id,
    centerCode: (await pilgrim.person.centers())[0]?.code,
  }
})

const post = (request: Parameters<Person['send']>[2]) =>
  pilgrim.person.send('POST', operations.checkout.path, request)

/** Of the refusal of a checkout. */
async function refusalOf(request: Parameters<Person['send']>[2]) {
  const { status, json } = await post(request)
  return { status, code: problemOf(status, json).code }
}

async function refusedFields(change: object, status = 400) {
  const answer = await post({ body: { ...checkoutBody, ...change } })
  expect(answer.status, JSON.stringify(answer.json)).toBe(status)
  return (problemOf(answer.status, answer.json).fields ?? []).map(({ field }) => field)
}

describe('a body', () => {
  it('with a field that is not known is refused by its name', async () => {
    expect(await refusedFields({ isAdmin: true })).toEqual(['isAdmin'])
  })

  it('with a field of a wrong type is refused by its name, and nothing is converted', async () => {
    for (const [field, value] of Object.entries(checkoutBody))
      for (const wrong of [
        null,
        [],
        typeof value === 'string' ? 5 : 'text',
        typeof value === 'number' ? `${value}` : {},
      ])
        expect(await refusedFields({ [field]: wrong }), JSON.stringify(wrong)).toEqual([field])
  })

  it('without a field is refused by its name', async () => {
    for (const field of Object.keys(checkoutBody))
      expect(await refusedFields({ [field]: undefined })).toEqual([field])
  })

  it.each(['[]', '"text"', '1', 'true', '{', '{"phone":', "{'phone': 1}", '\u0000', '{"a":1}}'])(
    'that is no JSON object is refused: %j',
    async (rawBody) => {
      expect(await refusalOf({ rawBody })).toEqual({ status: 400, code: 'INVALID_REQUEST' })
    },
  )

  it('with a key that names a prototype is refused', async () => {
    const rawBody = `${JSON.stringify(checkoutBody).slice(0, -1)},"__proto__":{"isAdmin":true}}`
    expect((await refusalOf({ rawBody })).status).toBe(400)
  })

  it('beyond the limit is refused', async () => {
    const body = { ...checkoutBody, agentCode: 'x'.repeat(200_000) }
    expect(await refusalOf({ body })).toEqual({ status: 413, code: 'BODY_TOO_LARGE' })
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'])(
    'that is %s is refused',
    async (type) => {
      const headers = { 'content-type': type }
      expect(await refusalOf({ body: checkoutBody, headers })).toEqual({
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      })
    },
  )
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
