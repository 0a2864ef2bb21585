import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClock } from './clock.ts'
import { createFaults, type FaultSettings, type Faults, faultDefaults, registerFaults } from './faults.ts'
import { createScheduler } from './scheduler.ts'

const fault = (changes: Partial<FaultSettings> & Pick<FaultSettings, 'kind'>): FaultSettings => ({
  ...faultDefaults,
  ...changes,
})

async function setUp(random: () => number = () => 0) {
  const clock = createClock(() => 0)
  const pause = Promise.withResolvers<void>()
  const scheduler = createScheduler(clock, () => {
    pause.resolve()
    return () => {}
  })
  const faults = createFaults(random)
  const app = Fastify({ forceCloseConnections: true })
  const worked: string[] = []
  const arrivals = { resolve: () => {} }
  app.addHook('onRequest', async () => arrivals.resolve())
  app.register(async (scope) => {
    registerFaults(scope, 'otp', faults, scheduler)
    scope.get('/otp', async () => {
      worked.push('otp')
      return { isWell: true }
    })
  })
  app.get('/other', async () => ({ isWell: true }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return {
    clock,
    scheduler,
    faults,
    worked,
    /** Resolves once a request is being held back. */
    pausing: pause.promise,
    arrival: () => new Promise<void>((resolve) => (arrivals.resolve = resolve)),
    address: `http://127.0.0.1:${port}`,
    get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
  }
}

describe('a fault', () => {
  it('of kind status answers that status and does no work', async () => {
    const { faults, get, worked } = await setUp()
    faults.set('otp', fault({ kind: 'status', status: 502 }))
    expect((await get('/otp')).status).toBe(502)
    expect(worked).toEqual([])
  })

  it('of kind garbage answers 200 with a body that is declared as JSON and is not', async () => {
    const { faults, get } = await setUp()
    faults.set('otp', fault({ kind: 'garbage' }))
    const answer = await get('/otp')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    await expect(answer.json()).rejects.toThrow(SyntaxError)
  })

  it('of kind reset drops the connection and does no work', async () => {
    const { faults, get, worked } = await setUp()
    faults.set('otp', fault({ kind: 'reset' }))
    await expect(get('/otp')).rejects.toThrow('fetch failed')
    expect(worked).toEqual([])
  })

  it('of kind lose-answer does the work and drops the connection', async () => {
    const { faults, get, worked } = await setUp()
    faults.set('otp', fault({ kind: 'lose-answer' }))
    await expect(get('/otp')).rejects.toThrow('fetch failed')
    expect(worked).toEqual(['otp'])
  })

  it('of kind hold answers when it ends, also when it was for one request and that one waits', async () => {
    const { faults, get, worked } = await setUp()
    const { id } = faults.set('otp', fault({ kind: 'hold', count: 1 }))
    const answer = get('/otp')
    await vi.waitFor(() => expect(faults.held()).toEqual([{ id, requests: 1 }]))
    expect((await get('/otp')).status).toBe(200)
    expect(worked).toHaveLength(1)
    expect(faults.end(id)).toBe(true)
    expect((await answer).status).toBe(200)
    expect(worked).toHaveLength(2)
    expect(faults.end(id)).toBe(false)
  })

  it.each([
    ['a new general fault', (faults: Faults) => void faults.set('otp', fault({ kind: 'hang', count: 0 }))],
    ['the end of all faults', (faults: Faults) => faults.clear()],
  ])('of kind hold ends with %s', async (_, end) => {
    const { faults, get } = await setUp()
    faults.set('otp', fault({ kind: 'hold' }))
    const answer = get('/otp')
    await vi.waitFor(() => expect(faults.held()).toMatchObject([{ requests: 1 }]))
    end(faults)
    expect((await answer).status).toBe(200)
  })

  it('of kind hang does not answer until the client gives up', async () => {
    const { faults, address, arrival, worked } = await setUp()
    faults.set('otp', fault({ kind: 'hang' }))
    const arrived = arrival()
    const call = request(`${address}/otp`)
    const ended = new Promise<string>((resolve) => {
      call.on('response', () => resolve('answered'))
      call.on('error', (error) => resolve(error.message))
    })
    call.end()
    await arrived
    call.destroy(new Error('gave up'))
    expect(await ended).toBe('gave up')
    expect(worked).toEqual([])
  })

  it('of kind delay answers as usual once its time has passed', async () => {
    const { faults, get, pausing, clock, scheduler, worked } = await setUp()
    faults.set('otp', fault({ kind: 'delay', delayMs: 20_000 }))
    const answer = get('/otp')
    await pausing
    expect(worked).toEqual([])
    clock.advance(20_000)
    await scheduler.wake()
    expect(await (await answer).json()).toEqual({ isWell: true })
  })

  it('applies to its own service only', async () => {
    const { faults, get } = await setUp()
    faults.set('otp', fault({ kind: 'status' }))
    expect((await get('/other')).status).toBe(200)
  })

  it('ends after its count, and when it is cleared', async () => {
    const { faults, get } = await setUp()
    faults.set('otp', fault({ kind: 'status', count: 2 }))
    const statuses = [await get('/otp'), await get('/otp'), await get('/otp')].map(({ status }) => status)
    expect(statuses).toEqual([503, 503, 200])
    expect(faults.list()).toEqual({})
    faults.set('otp', fault({ kind: 'status' }))
    faults.clear()
    expect((await get('/otp')).status).toBe(200)
  })

  it('draws its delay anew for each request, within its bounds', () => {
    const dice = [0, 0.25, 0, 1]
    const faults = createFaults(() => dice.shift() ?? 0)
    faults.set('otp', fault({ kind: 'delay', delay: { min: 100, max: 200 } }))
    const take = () => faults.take('otp', () => ({ operation: 'a', orders: [], phone: null }))?.delayMs
    expect([take(), take()]).toEqual([125, 200])
  })

  it('applies with its probability', async () => {
    const dice = [0.2, 0.3, 0.29]
    const { faults, get } = await setUp(() => dice.shift() ?? 1)
    faults.set('otp', fault({ kind: 'status', probability: 0.3 }))
    const statuses = [await get('/otp'), await get('/otp'), await get('/otp')].map(({ status }) => status)
    expect(statuses).toEqual([503, 200, 503])
  })
})

describe('faults with a match', () => {
  const about =
    (operation: string, order?: number, phone: string | null = null) =>
    () => ({
      operation,
      orders: order === undefined ? [] : [order],
      phone,
    })
  /** The kinds taken by requests one after another. */
  const taken = (faults: ReturnType<typeof createFaults>, requests: ReturnType<typeof about>[]) =>
    requests.map((request) => faults.take('otp', request)?.fault.kind)

  it.each([
    ['operation', { operation: 'send-code' }, about('send-code', 1), about('check-code', 1)],
    ['order', { order: 42 }, about('refund', 42), about('refund', 43)],
    ['phone', { phone: '+966512345678' }, about('send-code', 1, '+966512345678'), about('send-code', 1)],
    ['operation and order', { operation: 'refund', order: 42 }, about('refund', 42), about('void', 42)],
  ])('apply to requests that fit their %s, and to no others', (_name, match, fitting, other) => {
    const faults = createFaults()
    faults.set('otp', fault({ kind: 'status', match }))
    expect(taken(faults, [fitting, other, fitting])).toEqual(['status', undefined, 'status'])
    expect(faults.take('payment', fitting)).toBeUndefined()
  })

  it('come before the general one, which applies to the rest and is replaced alone', () => {
    const faults = createFaults()
    const matched = faults.set('otp', fault({ kind: 'hang', match: { order: 42 } }))
    faults.set('otp', fault({ kind: 'status' }))
    faults.set('otp', fault({ kind: 'reset' }))
    expect(taken(faults, [about('refund', 42), about('refund', 43)])).toEqual(['hang', 'reset'])
    expect(faults.active().map(({ kind }) => kind)).toEqual(['hang', 'reset'])
    expect(faults.list()).toMatchObject({ otp: { kind: 'reset' } })
    expect([faults.end(matched.id), faults.end(matched.id)]).toEqual([true, false])
    expect(taken(faults, [about('refund', 42)])).toEqual(['reset'])
  })

  it('apply to the nth request that fits, and end with it', () => {
    const faults = createFaults()
    faults.set('otp', fault({ kind: 'status', match: { operation: 'refund', nth: 2 } }))
    const refund = about('refund')
    expect(taken(faults, [refund, about('void'), refund, refund])).toEqual([
      undefined,
      undefined,
      'status',
      undefined,
    ])
    expect(faults.active()).toEqual([])
  })

  it('need the body only for an order or a phone', () => {
    const faults = createFaults()
    faults.set('otp', fault({ kind: 'hang', match: { operation: 'send-code', nth: 1 } }))
    expect(faults.needsBody('otp')).toBe(false)
    faults.set('otp', fault({ kind: 'hang', match: { phone: '+966512345678' } }))
    expect([faults.needsBody('otp'), faults.needsBody('payment')]).toEqual([true, false])
  })
})
