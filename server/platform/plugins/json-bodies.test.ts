import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerJsonBodies } from './json-bodies.ts'

let app: FastifyInstance
beforeEach(() => {
  app = Fastify()
  registerJsonBodies(app)
  app.route({
    method: ['POST', 'DELETE'],
    url: '/',
    handler: async ({ body }) => ({ kind: body === undefined ? 'none' : typeof body, body }),
  })
})
afterEach(() => app.close())

const send = (method: 'POST' | 'DELETE', type: string, payload: string) =>
  app.inject({ method, url: '/', headers: { 'content-type': type }, payload })

describe('a body', () => {
  it.each(['POST', 'DELETE'] as const)(
    'of no bytes counts as absent, also when %s declares JSON',
    async (method) => {
      for (const type of ['application/json', 'application/json; charset=utf-8'])
        expect((await send(method, type, '')).json()).toEqual({ kind: 'none' })
    },
  )

  it('of JSON is parsed', async () => {
    expect((await send('POST', 'application/json', '{"a":1}')).json()).toEqual({
      kind: 'object',
      body: { a: 1 },
    })
  })

  it.each(['{', ' ', '{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{}}}'])(
    '%j is refused',
    async (payload) => {
      expect((await send('POST', 'application/json', payload)).statusCode).toBe(400)
    },
  )

  it.each(['text/plain', 'application/x-www-form-urlencoded'])('of %s is refused', async (type) => {
    expect((await send('POST', type, '{"a":1}')).statusCode).toBe(415)
  })
})
