import Fastify, { type FastifyInstance } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
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
