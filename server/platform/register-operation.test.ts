import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { deskErrors } from '#shared/desk/staff/staff.errors.ts'
import { type Access, defineOperation, type OperationShape } from '#shared/platform/operation.ts'
import { NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import {
  headerScope,
  openBrowser,
  openFeatureApp,
  problemOf,
  refusedFieldsOf,
} from '#test/kit/gateway/feature-app.ts'
import { failure } from './errors.ts'
import { registeredOperations, registerOperation } from './register-operation.ts'
import type { Staff, StaffScope } from './session-scope.ts'

const operationFor = (access: Access) =>
  defineOperation({
    method: 'POST',
    path: '/api/things/:id',
    summary: 'A thing',
    feature: 'things',
    access,
    params: Type.Object({ id: NumberInPath }, { additionalProperties: false }),
    query: Type.Object({ limit: Type.Optional(Type.String()) }, { additionalProperties: false }),
    body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
    response: successOf({ name: Type.String() }),
  })

async function openThings(access: Access) {
  const seen: unknown[] = []
  const app = await openFeatureApp((feature) => {
    registerOperation(
      feature,
      headerScope,
      operationFor(access),
      async ({ params, query, body, principal }) => {
        seen.push({ params, query, body, principal })
        return { name: body.name, secret: 'of the row' }
      },
    )
  })
  return { app, seen, browser: openBrowser(app) }
}

const as = (principal: object) => ({ 'x-caller': JSON.stringify(principal) })
const user = { role: 'user', userId: 1 }
const agent = { role: 'agent', agentId: 2, partnerAgentId: 'A01' }

describe('registerOperation', () => {
  it('passes params, query and body to the handler', async () => {
    const { browser, seen } = await openThings('user')
    await browser.post('/api/things/7?limit=5', { name: 'bag' }, as(user))
    expect(seen).toEqual([
      { params: { id: '7' }, query: { limit: '5' }, body: { name: 'bag' }, principal: user },
    ])
  })

  it('sends only fields of the response schema', async () => {
    const { browser } = await openThings('anyone')
    const answer = await browser.post('/api/things/7', { name: 'bag' })
    expect(answer.json).toEqual({ success: true, name: 'bag' })
  })

  it('does not run the handler for an invalid request', async () => {
    const { browser, seen } = await openThings('anyone')
    expect(refusedFieldsOf(await browser.post('/api/things/0', { name: 'bag' }))).toEqual(['id'])
    expect(refusedFieldsOf(await browser.post('/api/things/7', {}))).toEqual(['name'])
    expect(refusedFieldsOf(await browser.post('/api/things/7?page=1', { name: 'bag' }))).toEqual(['page'])
    expect(seen).toEqual([])
  })

  it('reads beside the check of the session, and hands it over only for whom the operation is', async () => {
    const handedOver: unknown[] = []
    const app = await openFeatureApp((feature) => {
      const reads = async ({ params }: { readonly params: { readonly id: string } }) => `thing ${params.id}`
      const operation = operationFor('user')
      registerOperation(
        feature,
        headerScope,
        operation,
        async ({ body, found }) => {
          handedOver.push(found)
          return { name: body.name }
        },
        { reads },
      )
    })
    const press = async (headers: Record<string, string>) =>
      problemOf(await openBrowser(app).post('/api/things/7', { name: 'bag' }, headers)).code
    expect([await press({}), await press(as(agent))]).toEqual(['NOT_SIGNED_IN', 'WRONG_ROLE'])
    expect(handedOver).toEqual([])
    await openBrowser(app).post('/api/things/7', { name: 'bag' }, as(user))
    expect(handedOver).toEqual(['thing 7'])
  })

  it.each<[Access, object | undefined, string]>([
    ['user', undefined, 'NOT_SIGNED_IN'],
    ['agent', undefined, 'NOT_SIGNED_IN'],
    ['signed-in', undefined, 'NOT_SIGNED_IN'],
    ['user', agent, 'WRONG_ROLE'],
    ['agent', user, 'WRONG_ROLE'],
  ])('refuses an operation for %s to the principal %j', async (access, principal, code) => {
    const { browser, seen } = await openThings(access)
    const answer = await browser.post('/api/things/7', { name: 'bag' }, principal ? as(principal) : {})
    expect(problemOf(answer).code).toBe(code)
    expect(seen).toEqual([])
  })

  it.each<[Access, object | undefined]>([
    ['anyone', undefined],
    ['provider', undefined],
    ['browser', undefined],
    ['tester', undefined],
    ['user', user],
    ['agent', agent],
    ['signed-in', user],
    ['signed-in', agent],
  ])('allows an operation for %s to the principal %j', async (access, principal) => {
    const { browser } = await openThings(access)
    expect(
      (await browser.post('/api/things/7', { name: 'bag' }, principal ? as(principal) : {})).status,
    ).toBe(200)
  })

  it.each<[Access, number]>([
    ['anyone', 8],
    ['user', 16],
    ['agent', 16],
    ['signed-in', 16],
    ['browser', 16],
    ['tester', 8],
    ['provider', 64],
  ])('refuses from %s a body larger than %d KiB', async (access, kib) => {
    const { browser, seen } = await openThings(access)
    const principal = access === 'agent' ? agent : user
    const bodyOf = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes - '{"name":""}'.length) })
    expect((await browser.post('/api/things/7', bodyOf(kib * 1024), as(principal))).status).toBe(200)
    expect(
      problemOf(await browser.post('/api/things/7', bodyOf(kib * 1024 + 1), as(principal))),
    ).toMatchObject({
      status: 413,
      code: 'BODY_TOO_LARGE',
    })
    expect(seen).toHaveLength(1)
  })

  it('answers 304 without a body where the client has the answer, and only then', async () => {
    const tagged = defineOperation({
      method: 'GET',
      path: '/api/tagged',
      summary: 'A thing that is read again',
      feature: 'things',
      access: 'user',
      response: successOf({ name: Type.String() }),
      etag: 'weak',
    })
    let name = 'x'.repeat(2_000)
    const app = await openFeatureApp((feature) => {
      registerOperation(feature, headerScope, tagged, async () => ({ name }))
    })
    const read = (headers: object = {}, caller: object = { role: 'user', userId: 1 }) =>
      openBrowser(app).get('/api/tagged', { 'x-caller': JSON.stringify(caller), ...headers })
    const { headers } = await read()
    const etag = String(headers.etag)
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`]) {
      const again = await read({ 'if-none-match': known, 'accept-encoding': 'br' })
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
    }
    // The same for each encoding, because the content is the same.
    expect((await read({ 'accept-encoding': 'br' })).headers).toMatchObject({
      etag,
      'content-encoding': 'br',
    })
    const agent = await read({ 'if-none-match': etag }, { role: 'agent' })
    expect([agent.status, agent.headers.etag]).toEqual([403, undefined])
    name = 'another'
    const changed = await read({ 'if-none-match': etag })
    expect([changed.status, changed.json.name]).toEqual([200, 'another'])
    expect(changed.headers.etag).not.toBe(etag)
  })

  it('lists the registered operations', async () => {
    const { app } = await openThings('user')
    expect(registeredOperations.get(app.server)?.map(({ path }) => path)).toEqual(['/api/things/:id'])
  })
})

describe('an operation that requires a header', () => {
  const keyed = defineOperation({
    method: 'POST',
    path: '/api/keyed',
    summary: 'A thing that is made once',
    feature: 'things',
    access: 'anyone',
    headers: Type.Object({ 'idempotency-key': Type.String({ minLength: 8 }) }),
    response: successOf({ key: Type.String() }),
  })

  it('is refused without it', async () => {
    const app = await openFeatureApp((feature) => {
      registerOperation(feature, headerScope, keyed, async ({ request }) => ({
        key: String(request.headers['idempotency-key']),
      }))
    })
    const browser = openBrowser(app)
    expect(refusedFieldsOf(await browser.post('/api/keyed'))).toEqual(['idempotency-key'])
    expect(
      refusedFieldsOf(await browser.post('/api/keyed', undefined, { 'idempotency-key': 'short' })),
    ).toEqual(['idempotency-key'])
    const answer = await browser.post('/api/keyed', undefined, { 'idempotency-key': 'long-enough' })
    expect(answer.json).toEqual({ success: true, key: 'long-enough' })
  })
})

describe('an operation of staff', () => {
  const sara: Staff = {
    role: 'staff',
    issuer: 'https://id.example',
    subject: 'u-1',
    name: 'Sara',
    roles: ['support'],
    authenticatedAt: 1,
  }

  /** The header `x-staff` names the caller; uses of a session are counted. */
  async function openDesk(change: Partial<OperationShape> = {}, hasDesk = true) {
    const uses: boolean[] = []
    const desk: StaffScope = {
      async staffOf({ headers }, options) {
        uses.push(options?.quietly !== true)
        return typeof headers['x-staff'] === 'string'
          ? { ...sara, ...JSON.parse(headers['x-staff']) }
          : undefined
      },
      refusal: (reason) =>
        failure(deskErrors, reason === 'not-signed-in' ? 'STAFF_NOT_SIGNED_IN' : 'STAFF_ROLE_MISSING'),
      tokenOf: () => undefined,
    }
    const seen: unknown[] = []
    const operation = { ...operationFor('staff'), ...change }
    const app = await openFeatureApp((feature) => {
      registerOperation(
        feature,
        { ...headerScope, ...(hasDesk && { desk }) },
        operation as ReturnType<typeof operationFor>,
        async ({ principal }) => {
          seen.push(principal)
          return { name: 'done' }
        },
      )
    })
    const send = (headers: Record<string, string>, query = '') =>
      openBrowser(app).post(`/api/things/7${query}`, { name: 'bag' }, headers)
    return { send, seen, uses }
  }
  const staff = (change: object) => ({ 'x-staff': JSON.stringify(change) })

  it('is for staff alone, whatever else a browser is signed in as', async () => {
    const { send, seen, uses } = await openDesk()
    for (const headers of [{}, as(user), as(agent)])
      expect(problemOf(await send(headers))).toMatchObject({ status: 401, code: 'STAFF_NOT_SIGNED_IN' })
    expect((await send(staff({}))).status).toBe(200)
    expect(seen).toEqual([sara])
    expect(uses.at(-1)).toBe(true)
  })

  it('with roles is for who has one of them', async () => {
    const { send, seen } = await openDesk({ roles: ['money', 'lead'] })
    expect(problemOf(await send(staff({})))).toMatchObject({ status: 403, code: 'STAFF_ROLE_MISSING' })
    for (const roles of [['lead'], ['support', 'money']])
      expect((await send(staff({ roles }))).status).toBe(200)
    expect(seen).toHaveLength(2)
  })

  it('that pages ask by themselves is no use of the session', async () => {
    const { send, uses } = await openDesk({ isQuiet: true })
    await send(staff({}))
    expect(uses).toEqual([false])
  })

  it('that a page reads again by itself is no use of the session', async () => {
    const again = Type.Object({ again: Type.Optional(Type.Literal('1')) })
    const { send, uses } = await openDesk({ isQuiet: 'again', query: again })
    await send(staff({}))
    await send(staff({}), '?again=1')
    expect(uses).toEqual([true, false])
  })

  it('does not exist without a desk', async () => {
    const { send } = await openDesk({}, false)
    expect((await send(staff({}))).status).toBe(404)
  })
})
