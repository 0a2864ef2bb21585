import Fastify, { type FastifyInstance } from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '#server/platform/logging.ts'
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
  /** The logged lines, once there are `count` of them. */
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

it('writes the lines of several responses in one call', async () => {
  const { app, writes, lines } = await open((each) => each.get('/', async () => ({})))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await Promise.all([1, 2, 3].map(() => app.inject('/')))
  expect(writes).toEqual([])
  vi.runAllTimers()
  expect(writes).toHaveLength(1)
  vi.useRealTimers()
  await lines(3)
})

it('redacts lines of a handler, and adds its request id', async () => {
  const { app, lines } = await open((each) =>
    each.get('/', async (request) => {
      request.log.info({ phone: '+966512345678', token: 'hush' }, 'heard of 0512345678')
      return {}
    }),
  )
  await app.inject('/')
  const [said, completed] = (await lines(2)) as (Line & { reqId: string })[]
  expect(JSON.stringify(said)).not.toMatch(/hush|1234567/)
  expect(said?.reqId).toBe(completed?.reqId)
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
