import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { failure } from '#server/platform/errors.ts'
import { createLogger } from '#server/platform/logging.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import { registerSchemaCompilers } from '#server/platform/schema-compilers.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { defineErrors } from '#shared/platform/problem.ts'
import { headerScope } from '#test/kit/gateway/feature-app.ts'
import { repoRoot } from '#test/kit/repo/repo-files.ts'
import { registerErrorGate, sendProblem } from './error-gate.ts'
import { RequestLog } from './request-log.ts'

interface Line {
  readonly msg: string
  readonly level: number
  readonly traceId?: string
  readonly req?: { method: string; path: string }
}

/** An application and what it writes, one text per write. */
async function open(register: (app: FastifyInstance) => void, level = 'info') {
  const writes: string[] = []
  const logger = createLogger(level, { write: (text) => void writes.push(text) })
  const app = Fastify({
    loggerInstance: logger,
    logController: new RequestLog(logger),
  }) as unknown as FastifyInstance
  register(app)
  onTestFinished(() => app.close())
  await app.ready()
  const lines = (count: number): Promise<Line[]> =>
    vi.waitFor(() => {
      const found = writes.flatMap((text) => text.trim().split('\n'))
      expect(found).toHaveLength(count)
      return found.map((line) => JSON.parse(line))
    })
  return { app, writes, lines }
}

it('writes one line per request after its response', async () => {
  const { app, lines } = await open((each) => each.get('/orders/:id', async () => ({ a: 1 })))
  await app.inject('/orders/7')
  expect(await lines(1)).toEqual([
    expect.objectContaining({
      level: 30,
      msg: 'request completed',
      reqId: expect.any(String),
      route: '/orders/:id',
      req: { method: 'GET', path: '/orders/7' },
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
    }),
  ])
})

it('names the trace that the caller began, and none otherwise', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const { app, lines } = await open((each) => each.get('/', async () => ({})))
  await app.inject({ url: '/', headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } })
  await app.inject({ url: '/', headers: { traceparent: 'forged' } })
  const [given, forged] = await lines(2)
  expect(given?.traceId).toBe(traceId)
  expect(forged).not.toHaveProperty('traceId')
})

it.each([
  ['/payment?clientSecret=hush', '/payment'],
  ['/by-phone/+966512345678?a=1', '/by-phone/•••••••••••78'],
  ['/by-phone/%2B966512345678', '/by-phone/•••••••••••••78'],
  ['/callback/token=hush-hush', '/callback/[redacted]'],
])('logs the path of %s as %s', async (url, path) => {
  const { app, lines } = await open((each) => each.get('/*', async () => ({})))
  await app.inject({ url, headers: { cookie: 'session=hush', authorization: 'Bearer hushhushhush' } })
  const [line] = await lines(1)
  expect(line?.req?.path).toBe(path)
  expect(JSON.stringify(line)).not.toMatch(/hush|66512345/)
})

it('writes the last lines when the process ends by an exception', async () => {
  const program = `
    import Fastify from 'fastify'
    import { createLogger } from '#server/platform/logging.ts'
    import { RequestLog } from '#server/platform/plugins/request-log.ts'
    const logger = createLogger('info')
    const app = Fastify({ loggerInstance: logger, logController: new RequestLog(logger) })
    app.get('/last', async () => ({}))
    await app.inject('/last')
    setImmediate(() => { throw new Error('the crash') })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: repoRoot })
  const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(complaint).toContain('Error: the crash')
  expect(JSON.parse(out)).toMatchObject({ req: { path: '/last' }, msg: 'request completed' })
})

describe('a failed request', () => {
  const own = defineErrors({
    GONE: { status: 404, level: 'warn', text: { ar: 'ذهب', en: 'gone' } },
  })
  const readThing = defineOperation({
    method: 'GET',
    path: '/api/orders/:id/thing',
    summary: 's',
    feature: 'orders',
    access: 'signed-in',
    params: Type.Object({ id: Type.String() }),
    response: Type.Object({}),
  })
  const register = (app: FastifyInstance) => {
    registerSchemaCompilers(app)
    registerErrorGate(app)
    app.setNotFoundHandler((request, reply) => sendProblem(request, reply, failure(own, 'GONE')))
    registerOperation(app, headerScope, readThing, async () => {
      throw failure(own, 'GONE', { cause: new Error('why, with Bearer hushhushhush') })
    })
  }
  const of = (principal: object) => ({ 'x-caller': JSON.stringify(principal) })

  it('has one line: why, where, how long, whose and about what', async () => {
    const { app, lines } = await open(register)
    await app.inject({ url: '/api/orders/7/thing?a=hush', headers: of({ role: 'user', userId: 3 }) })
    await app.inject({ url: '/api/orders/x/thing', headers: of({ role: 'agent', agentId: 5 }) })
    const [first, second] = await lines(2)
    expect(first).toMatchObject({
      level: 40,
      msg: 'request failed',
      code: 'GONE',
      route: '/api/orders/:id/thing',
      userId: 3,
      orderId: 7,
      reqId: expect.any(String),
      responseTime: expect.any(Number),
      req: { method: 'GET', path: '/api/orders/7/thing' },
      res: { statusCode: 404 },
      err: { message: expect.stringMatching(/^why, with .*\[redacted\]$/) },
    })
    expect(second).toMatchObject({ agentId: 5 })
    expect(second).not.toHaveProperty('orderId')
    expect(JSON.stringify([first, second])).not.toContain('hush')
  })

  it('has it without a session and without a route, too', async () => {
    const { app, lines } = await open(register)
    await app.inject('/api/orders/7/thing')
    await app.inject('/nothing')
    const [refused, missing] = await lines(2)
    expect(refused).toMatchObject({ code: 'NOT_SIGNED_IN', orderId: 7, level: 30, res: { statusCode: 401 } })
    expect(missing).toMatchObject({ code: 'GONE', req: { path: '/nothing' }, res: { statusCode: 404 } })
  })
})

it('logs routine answers at level debug, and their failures as always', async () => {
  const routine = (each: FastifyInstance) => {
    each.get('/session', { config: { isRoutine: true } }, async () => ({}))
    each.get('/failing', { config: { isRoutine: true } }, async (_, reply) => reply.code(401).send({}))
  }
  const atInfo = await open(routine)
  await atInfo.app.inject('/session')
  await atInfo.app.inject('/failing')
  expect((await atInfo.lines(1)).map(({ req, level }) => [req?.path, level])).toEqual([['/failing', 30]])

  const atDebug = await open(routine, 'debug')
  await atDebug.app.inject('/session')
  expect((await atDebug.lines(1)).map(({ req, level }) => [req?.path, level])).toEqual([['/session', 20]])
})
