import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { type Caller, defineOperation } from '#shared/platform/operation.ts'
import { NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { headerScope, openBrowser, openRoomApp, problemOf, refusedFieldsOf } from '#test/kit/room-app.ts'
import { implement, implementedRoutes } from './implement.ts'

const operationFor = (caller: Caller) =>
  defineOperation({
    method: 'POST',
    path: '/api/things/:id',
    summary: 'A thing',
    room: 'things',
    caller,
    params: Type.Object({ id: NumberInPath }, { additionalProperties: false }),
    query: Type.Object({ limit: Type.Optional(Type.String()) }, { additionalProperties: false }),
    body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
    response: successOf({ name: Type.String() }),
  })

async function openThings(caller: Caller) {
  const seen: unknown[] = []
  const app = await openRoomApp((room) => {
    implement(room, headerScope, operationFor(caller), async ({ params, query, body, caller: who }) => {
      seen.push({ params, query, body, who })
      return { name: body.name, secret: 'of the row' }
    })
  })
  return { app, seen, browser: openBrowser(app) }
}

const as = (caller: object) => ({ 'x-caller': JSON.stringify(caller) })
const user = { role: 'user', userId: 1 }
const agent = { role: 'agent', agentId: 2, partnerAgentId: 'A01' }

describe('implement', () => {
  it('hands over what the contract describes', async () => {
    const { browser, seen } = await openThings('user')
    await browser.post('/api/things/7?limit=5', { name: 'bag' }, as(user))
    expect(seen).toEqual([{ params: { id: '7' }, query: { limit: '5' }, body: { name: 'bag' }, who: user }])
  })

  it('lets out only what the contract promises', async () => {
    const { browser } = await openThings('anyone')
    const answer = await browser.post('/api/things/7', { name: 'bag' })
    expect(answer.json).toEqual({ success: true, name: 'bag' })
  })

  it('does not run for a request that does not fit', async () => {
    const { browser, seen } = await openThings('anyone')
    expect(refusedFieldsOf(await browser.post('/api/things/0', { name: 'bag' }))).toEqual(['id'])
    expect(refusedFieldsOf(await browser.post('/api/things/7', {}))).toEqual(['name'])
    expect(refusedFieldsOf(await browser.post('/api/things/7?page=1', { name: 'bag' }))).toEqual(['page'])
    expect(seen).toEqual([])
  })

  it.each<[Caller, object | undefined, string]>([
    ['user', undefined, 'NOT_SIGNED_IN'],
    ['agent', undefined, 'NOT_SIGNED_IN'],
    ['signed-in', undefined, 'NOT_SIGNED_IN'],
    ['user', agent, 'WRONG_ROLE'],
    ['agent', user, 'WRONG_ROLE'],
  ])('keeps out of an operation for %s the caller %j', async (caller, who, code) => {
    const { browser, seen } = await openThings(caller)
    const answer = await browser.post('/api/things/7', { name: 'bag' }, who ? as(who) : {})
    expect(problemOf(answer).code).toBe(code)
    expect(seen).toEqual([])
  })

  it.each<[Caller, object | undefined]>([
    ['anyone', undefined],
    ['provider', undefined],
    ['browser', undefined],
    ['user', user],
    ['agent', agent],
    ['signed-in', user],
    ['signed-in', agent],
  ])('lets into an operation for %s the caller %j', async (caller, who) => {
    const { browser } = await openThings(caller)
    expect((await browser.post('/api/things/7', { name: 'bag' }, who ? as(who) : {})).status).toBe(200)
  })

  it('lets a route send its own reply', async () => {
    const page = defineOperation({
      method: 'GET',
      path: '/api/page',
      summary: 'A page',
      room: 'things',
      caller: 'anyone',
      response: Type.String({ format: 'binary' }),
      contentType: 'application/pdf',
    })
    const app = await openRoomApp((room) => {
      implement(room, headerScope, page, async ({ reply }) =>
        reply.type('application/pdf').send(Buffer.from('%PDF-')),
      )
    })
    const answer = await openBrowser(app).get('/api/page')
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.bytes.toString()).toBe('%PDF-')
  })

  it.each<[Caller, number]>([
    ['anyone', 8],
    ['user', 16],
    ['agent', 16],
    ['signed-in', 16],
    ['browser', 16],
    ['provider', 64],
  ])('takes from %s no body larger than %d KiB', async (caller, kib) => {
    const { browser, seen } = await openThings(caller)
    const who = caller === 'agent' ? agent : user
    const bodyOf = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes - '{"name":""}'.length) })
    expect((await browser.post('/api/things/7', bodyOf(kib * 1024), as(who))).status).toBe(200)
    expect(problemOf(await browser.post('/api/things/7', bodyOf(kib * 1024 + 1), as(who)))).toMatchObject({
      status: 413,
      code: 'BODY_TOO_LARGE',
    })
    expect(seen).toHaveLength(1)
  })

  it('answers a call that has nothing to say with 204 and nothing', async () => {
    const silent = defineOperation({
      method: 'POST',
      path: '/api/silent',
      summary: 'Nothing',
      room: 'things',
      caller: 'browser',
      response: Type.Null(),
      status: 204,
    })
    const app = await openRoomApp((room) => {
      implement(room, headerScope, silent, async ({ reply }) => reply.code(204).send())
    })
    const answer = await openBrowser(app).post('/api/silent')
    expect([answer.status, answer.bytes.length]).toEqual([204, 0])
  })

  it('keeps a list of what was implemented', async () => {
    const { app } = await openThings('user')
    expect(implementedRoutes.get(app.server)?.map(({ path }) => path)).toEqual(['/api/things/:id'])
  })
})
