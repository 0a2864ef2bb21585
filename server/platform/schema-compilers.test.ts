import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import Type from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { Reason, TypedLines, TypedReference } from '#shared/platform/platform.schemas.ts'
import { registerSchemaCompilers } from './schema-compilers.ts'

function openApp(): FastifyInstance {
  const app = Fastify()
  onTestFinished(() => app.close())
  registerSchemaCompilers(app)
  return app
}

const route = { method: 'POST', url: '/', httpPart: 'body' }
const objectOf = (type: string) => ({
  type: 'object',
  required: ['weight'],
  properties: { weight: { type } },
})

it('compiles equal schemas once, also for another app', async () => {
  const apps = [openApp(), openApp()]
  for (const app of apps) {
    app.get('/', () => undefined)
    await app.ready()
  }
  const [first, second] = apps.map((app) =>
    app.validatorCompiler?.({ ...route, schema: objectOf('integer') }),
  )
  expect(first).toBeTypeOf('function')
  expect(second).toBe(first)
  expect(apps[0]?.validatorCompiler?.({ ...route, schema: objectOf('string') })).not.toBe(first)
})

it.each(Object.entries<OperationShape>(operations))('compiles the schemas of %s', (_, operation) => {
  const app = openApp()
  const { params, query, headers, body, response } = operation
  for (const schema of [params, query, headers, body])
    if (schema !== undefined) app.validatorCompiler?.({ ...route, schema })({})
  const write = app.serializerCompiler?.({ ...route, schema: response, httpStatus: '200' })
  try {
    write?.({})
  } catch (error) {
    expect(String(error)).toMatch(/is required!|does not match schema definition/)
  }
})

it('checks each request and writes each response by its own schema, and changes no value', async () => {
  const app = openApp()
  for (const type of ['integer', 'string'])
    app.post(
      `/${type}`,
      { schema: { body: objectOf(type), response: { 200: objectOf(type) } } },
      ({ body }) => ({
        ...(body as object),
        unlisted: true,
      }),
    )
  const post = async (path: string, payload: object) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url: path, payload })
    return [statusCode, statusCode === 200 ? body : '']
  }
  expect(await post('/integer', { weight: 12 })).toEqual([200, '{"weight":12}'])
  expect(await post('/string', { weight: '12' })).toEqual([200, '{"weight":"12"}'])
  expect(await post('/integer', { weight: '12' })).toEqual([400, ''])
  expect(await post('/string', { weight: 12 })).toEqual([400, ''])
})

it('names at most ten errors of a request, however many it has', async () => {
  const app = openApp()
  app.post('/', { schema: { body: { ...objectOf('integer'), additionalProperties: false } } }, () => ({}))
  const validations: number[] = []
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    validations.push(error.validation?.length ?? 0)
    return reply.code(400).send({})
  })
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index]))
  for (const count of [800, 3])
    await app.inject({ method: 'POST', url: '/', payload: { weight: 1, ...unknown(count) } })
  expect(validations).toEqual([10, 3])
})

describe('what a person typed', () => {
  async function typed(reason: unknown, text: unknown = 'x') {
    const app = openApp()
    const body = Type.Object({ reason: Reason, text: TypedLines({ least: 1, most: 9 }) })
    app.post('/', { schema: { body } }, ({ body: given }) => given as object)
    const response = await app.inject({ method: 'POST', url: '/', payload: { reason, text } })
    return response.statusCode === 200 ? response.json() : response.statusCode
  }

  it('reaches the handler on its line or lines, without what hides or reorders', async () => {
    expect(await typed('\u202ecalled\n\u0000 us ', ' one\r\ntwo\u200f ')).toEqual({
      reason: 'called us',
      text: 'one\ntwo',
    })
  })

  it.each(['     ', '\0\0\0\0\0', ' abcd\u200f', '\n\n\n\n\n', 'x'.repeat(301), 12_345, null])(
    'is refused where too little or too much is left of it: %j',
    async (reason) => expect(await typed(reason)).toBe(400),
  )

  it.each([
    '.....',
    '12345',
    '\u3164\u3164\u3164\u3164\u3164',
    '\u115f\u1160 \u00ad\u034f',
    'a\u3164\u3164\u3164\u3164',
  ])('is refused where nobody can read a word of it: %j', async (reason) => {
    expect(await typed(reason)).toBe(400)
    expect(await typed('asked by phone', reason.slice(1))).toBe(400)
  })

  it('may be a number where it refers to something of others, and is never invisible', async () => {
    const app = openApp()
    const body = Type.Object({ number: TypedReference({ least: 1, most: 60 }) })
    app.post('/', { schema: { body } }, ({ body: given }) => given as object)
    const post = async (number: string) =>
      (await app.inject({ method: 'POST', url: '/', payload: { number } })).statusCode
    expect(await post('4471')).toBe(200)
    expect(await post('\u3164\u3164')).toBe(400)
    expect(await post('--')).toBe(400)
  })

  it('… also with lines', async () => {
    for (const text of ['', ' \n\u0000', 'x'.repeat(10)])
      expect(await typed('asked by phone', text)).toBe(400)
  })
})
