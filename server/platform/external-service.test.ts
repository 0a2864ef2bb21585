import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '#test/kit/basics/eventually.ts'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { openStubService, type Reply, urlWithoutListener } from '#test/kit/gateway/stub-service.ts'
import { createExternalService } from './external-service.ts'
import type { HttpRequest } from './http-client.ts'
import { createMetrics } from './metrics.ts'
import { type Random, systemRandom } from './random.ts'
import { OutcomeUnknownError, UnreachableError } from './unreachable.ts'
import { during, readTraceparent } from './work.ts'

const ok = { status: 200, json: { fine: true } }
const broken = { status: 500, json: {} }

async function open(...replies: Reply[]) {
  const stub = await openStubService()
  stub.replies(...replies)
  const metrics = createMetrics()
  const service = createExternalService('shipping', { metrics })
  const request: HttpRequest = {
    operation: 'list-things',
    method: 'GET',
    url: stub.url,
    timeoutMs: patienceMs,
  }
  const text = () => metrics.registry.metrics()
  const isOpen = async () => (await text()).includes('amtiati_external_breaker_open{service="shipping"} 1')
  return { stub, service, request, isOpen, text }
}

/** Skips only the pauses between tries, not the timers of the network. */
const realTimeout = globalThis.setTimeout
beforeEach(() => {
  vi.stubGlobal('setTimeout', (run: () => void, ms?: number, ...rest: unknown[]) =>
    realTimeout(run, ms !== undefined && ms < 1_000 ? 0 : ms, ...rest),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('read', () => {
  it.each<[string, Reply]>([
    ['a 500', broken],
    ['a 429', { status: 429, json: {} }],
    ['a broken connection', 'reset'],
  ])('repeats after %s', async (_, reply) => {
    const { stub, service, request } = await open(reply, ok)
    expect(await service.read(request)).toEqual({ status: 200, body: { fine: true } })
    expect(stub.requests).toHaveLength(2)
  })

  it('returns the last response after three attempts', async () => {
    const { stub, service, request } = await open(broken, broken, { status: 503, json: { last: 1 } }, ok)
    expect(await service.read(request)).toEqual({ status: 503, body: { last: 1 } })
    expect(stub.requests).toHaveLength(3)
  })

  it('throws OutcomeUnknownError after three attempts without a response', async () => {
    const { stub, service, request } = await open('reset', 'reset', 'reset', ok)
    await expect(service.read(request)).rejects.toBeInstanceOf(OutcomeUnknownError)
    expect(stub.requests).toHaveLength(3)
  })

  it.each([200, 204, 400, 401, 404, 422])('does not repeat after status %i', async (status) => {
    const { stub, service, request } = await open({ status, text: '' }, ok)
    expect(await service.read(request)).toMatchObject({ status })
    expect(stub.requests).toHaveLength(1)
  })
})

describe('a signal', () => {
  it('ends a read with its pauses, and no try follows', async () => {
    const { stub, service, request } = await open('hang', ok)
    const ending = new AbortController()
    const answer = service.read({ ...request, signal: ending.signal })
    await eventually(async () => (stub.requests.length === 1 ? true : undefined))
    ending.abort()
    await expect(answer).rejects.toBeInstanceOf(UnreachableError)
    expect(stub.requests).toHaveLength(1)
  })

  it('that has aborted sends nothing, with a known outcome', async () => {
    const { stub, service, request } = await open(ok)
    const sent = service.request({ ...request, signal: AbortSignal.abort() })
    await expect(sent).rejects.toBeInstanceOf(UnreachableError)
    expect(stub.requests).toEqual([])
  })
})

describe('request', () => {
  it.each<[string, Reply]>([
    ['a 500', broken],
    ['a 429', { status: 429, json: {} }],
  ])('returns %s without repeating', async (_, reply) => {
    const { stub, service, request } = await open(reply, ok)
    expect((await service.request({ ...request, method: 'POST', json: {} })).status).toBeGreaterThan(400)
    expect(stub.requests).toHaveLength(1)
  })
})

describe('a request of a work', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const spanId = '00f067aa0ba902b7'

  it('names the work and its trace, with a new span each time', async () => {
    const { stub, service, request } = await open(broken, ok)
    const span = readTraceparent(`00-${traceId}-${spanId}-01`)
    await during({ id: 'request-1', span }, () =>
      service.read({ ...request, headers: { authorization: 'Token 1' } }),
    )
    const sent = stub.traces
    expect(sent).toHaveLength(2)
    for (const each of sent)
      expect(each).toEqual({
        'x-request-id': 'request-1',
        traceparent: expect.stringMatching(new RegExp(`^00-${traceId}-[\\da-f]{16}-01$`)),
      })
    expect(new Set([spanId, ...sent.map(({ traceparent }) => traceparent?.slice(36, 52))]).size).toBe(3)
    expect(stub.requests[0]?.headers.authorization).toBe('Token 1')
  })

  it('carries neither outside of any work', async () => {
    const { stub, service, request } = await open(ok)
    await service.request(request)
    expect(stub.traces).toEqual([{}])
  })
})

describe('the metrics', () => {
  it.each<[string, Reply]>([
    ['ok', ok],
    ['refused', { status: 422, json: {} }],
    ['throttled', { status: 429, json: {} }],
    ['failed', broken],
    ['unknown', 'reset'],
  ])('count a request as %s, and its duration', async (outcome, reply) => {
    const { service, request, text } = await open(reply)
    await service.request(request).catch(() => undefined)
    const labels = `service="shipping",operation="list-things"`
    expect(await text()).toContain(`amtiati_external_requests_total{${labels},outcome="${outcome}"} 1\n`)
    expect(await text()).toContain(`amtiati_external_request_duration_seconds_count{${labels}} 1\n`)
  })

  it('count a service without a listener as unreachable', async () => {
    const { service, request, text } = await open()
    await service.request({ ...request, url: urlWithoutListener }).catch(() => undefined)
    expect(await text()).toMatch(/amtiati_external_requests_total\{[^}]*outcome="unreachable"\} 1$/m)
  })

  it('count every request of a repeated read', async () => {
    const { service, request, text } = await open(broken, ok)
    await service.read(request)
    expect(await text()).toMatch(/amtiati_external_requests_total\{[^}]*outcome="failed"\} 1$/m)
    expect(await text()).toMatch(/amtiati_external_requests_total\{[^}]*outcome="ok"\} 1$/m)
  })
})

describe('the circuit breaker', () => {
  async function openBroken() {
    const feature = await open(...Array.from({ length: 40 }, () => broken))
    for (let count = 0; count < 10; count += 1) await feature.service.request(feature.request)
    return feature
  }

  it('rejects without sending after repeated failures, with a known outcome', async () => {
    const { stub, service, request, isOpen, text } = await openBroken()
    expect(await isOpen()).toBe(true)
    const asked = stub.requests.length
    await expect(service.request(request)).rejects.toBeInstanceOf(UnreachableError)
    await expect(service.read(request)).rejects.toBeInstanceOf(UnreachableError)
    expect(stub.requests).toHaveLength(asked)
    // Not sent, so there is no duration.
    expect(await text()).toMatch(/amtiati_external_requests_total\{[^}]*outcome="circuit-open"\} 2$/m)
    expect(await text()).toMatch(/amtiati_external_request_duration_seconds_count\{[^}]*\} 10$/m)
  })

  it.each([422, 429])('does not open for responses of %i', async (status) => {
    const refusals = Array.from({ length: 30 }, () => ({ status, json: {} }))
    const { service, request, isOpen } = await open(...refusals)
    for (let count = 0; count < 30; count += 1) await service.request(request)
    expect(await isOpen()).toBe(false)
  })

  it('tries again after the time that its service was given', async () => {
    const { stub, request } = await open(...Array.from({ length: 10 }, () => broken), ok)
    const patient = createExternalService('patient', undefined, 7_000)
    const timers: { readonly ms: number | undefined; readonly run: () => void }[] = []
    vi.stubGlobal('setTimeout', (run: () => void, ms?: number, ...rest: unknown[]) => {
      timers.push({ ms, run })
      return realTimeout(run, ms, ...rest)
    })
    for (let count = 0; count < 10; count += 1) await patient.request(request)
    await expect(patient.request(request)).rejects.toBeInstanceOf(UnreachableError)
    expect(stub.requests).toHaveLength(10)
    timers.find(({ ms }) => ms === 7_000)?.run()
    expect((await patient.request(request)).status).toBe(200)
  })

  it.each([
    [0, [150, 300]],
    [2 ** 31, [225, 450]],
  ])('repeats a read after pauses by the given random source: %i → %j ms', async (drawn, pauses) => {
    const { stub, request } = await open(broken, broken, ok)
    const random: Random = { ...systemRandom, below: () => drawn }
    const waits: (number | undefined)[] = []
    vi.stubGlobal('setTimeout', (run: () => void, ms?: number, ...rest: unknown[]) => {
      if (pauses.includes(ms ?? 0)) waits.push(ms)
      return realTimeout(run, pauses.includes(ms ?? 0) ? 0 : ms, ...rest)
    })
    expect((await createExternalService('shipping', { random }).read(request)).status).toBe(200)
    expect(stub.requests).toHaveLength(3)
    expect(waits).toEqual(pauses)
  })

  it('of one service does not affect another', async () => {
    await openBroken()
    const { service, request } = await open(ok)
    expect((await service.request(request)).status).toBe(200)
  })
})
