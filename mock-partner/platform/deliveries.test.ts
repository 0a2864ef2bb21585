import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClock } from './clock.ts'
import { createDeliveries, type DeliveryOrder, type Post, retryDelaysMs } from './deliveries.ts'
import { createIdSequence } from './ids.ts'
import { createJournal } from './journal.ts'
import { noReferences } from './references.ts'
import { createScheduler } from './scheduler.ts'

/** @param postStatus answers with a status alone. */
function setUp(postStatus?: (...request: Parameters<Post>) => Promise<number>) {
  const post: Post | undefined =
    postStatus && (async (...request) => ({ status: await postStatus(...request), headers: {}, body: '' }))
  const clock = createClock(() => 1_000)
  const scheduler = createScheduler(clock, () => () => {})
  const hidesNothing = { text: (text: string) => text, headers: () => ({}) }
  const journal = createJournal({ ids: createIdSequence(clock), masks: hidesNothing })
  const create = () =>
    createDeliveries({
      clock,
      scheduler,
      ids: createIdSequence(clock),
      journal,
      onChange: () => {},
      post,
    })
  const advance = async (ms: number) => {
    clock.advance(ms)
    await scheduler.wake()
  }
  return { deliveries: create(), create, clock, scheduler, advance }
}

const order: DeliveryOrder = {
  service: 'payment',
  group: 'g',
  about: { type: 'T' },
  url: 'http://receiver.example/',
  content: {
    body: '{"a":1}',
    headers: {},
    operation: 'callback',
    references: noReferences(),
    proof: { key: 'valid', differences: [] },
  },
  delayMs: 0,
  retries: true,
}

describe('a delivery', () => {
  it('ends with the first 2xx', async () => {
    const { deliveries } = setUp(async () => 204)
    const { delivery, attempted } = deliveries.send(order)
    await attempted
    expect(delivery).toMatchObject({
      state: 'delivered',
      content: null,
      attempts: [{ at: 1_000, status: 204, error: null }],
      nextAttemptAt: null,
    })
  })

  it('is repeated with growing delay until it arrives', async () => {
    const answers: (number | Error)[] = [new Error('connect ECONNREFUSED'), 500, 302, 200]
    const { deliveries, advance } = setUp(async () => {
      const next = answers.shift()
      if (typeof next === 'number') return next
      throw next
    })
    const { delivery, attempted } = deliveries.send(order)
    await attempted
    expect(delivery.state).toBe('waiting')
    for (const ms of retryDelaysMs.slice(0, 3)) {
      await advance(ms - 1)
      const before = delivery.attempts.length
      await advance(1)
      expect(delivery.attempts).toHaveLength(before + 1)
    }
    expect(delivery.state).toBe('delivered')
    expect(delivery.attempts.map(({ status, error }) => status ?? error)).toEqual([
      'connect ECONNREFUSED',
      500,
      302,
      200,
    ])
    expect(deliveries.attempts('payment')).toBe(4)
  })

  it('is given up after the last retry', async () => {
    const { deliveries, advance } = setUp(async () => 503)
    const { delivery, attempted } = deliveries.send(order)
    await attempted
    for (const ms of retryDelaysMs) await advance(ms)
    expect(delivery.attempts).toHaveLength(retryDelaysMs.length + 1)
    expect(delivery).toMatchObject({ state: 'given-up', nextAttemptAt: null })
  })

  it('is not repeated without `retries`', async () => {
    const { deliveries } = setUp(async () => 401)
    const { delivery, attempted } = deliveries.send({ ...order, retries: false })
    await attempted
    expect(delivery).toMatchObject({ state: 'given-up', nextAttemptAt: null })
  })

  it('waits for its delay', async () => {
    const { deliveries, advance } = setUp(async () => 200)
    const { delivery, attempted } = deliveries.send({ ...order, delayMs: 30_000 })
    await advance(29_999)
    expect(delivery.attempts).toEqual([])
    await advance(1)
    await attempted
    expect(delivery.state).toBe('delivered')
  })

  it('that is lost is recorded and never attempted', async () => {
    const { deliveries } = setUp(async () => 200)
    deliveries.lose(order)
    expect(deliveries.listOf('g')).toMatchObject([{ state: 'lost', attempts: [] }])
    expect(deliveries.attempts('payment')).toBe(0)
  })

  it('continues after a restart', async () => {
    const { deliveries, create, advance } = setUp(async () => 200)
    deliveries.send({ ...order, delayMs: 5_000 })
    const restarted = create()
    await deliveries.close()
    restarted.restore(JSON.parse(JSON.stringify(deliveries.snapshot())))
    await advance(5_000)
    expect(restarted.listOf('g')).toMatchObject([{ state: 'delivered' }])
  })

  it('stays waiting when closing the simulator aborts it', async () => {
    const { deliveries } = setUp(
      (_url, _body, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const { delivery } = deliveries.send(order)
    await deliveries.close()
    expect(delivery).toMatchObject({ state: 'waiting', attempts: [], nextAttemptAt: 1_000 })
  })

  it('is dropped by a reset, even during an attempt', async () => {
    const arrival = Promise.withResolvers<number>()
    const { deliveries } = setUp(() => arrival.promise)
    const { attempted } = deliveries.send(order)
    deliveries.reset()
    arrival.resolve(500)
    await attempted
    expect(deliveries.listOf('g')).toEqual([])
  })
})

it('deliveries arrive over HTTP as JSON, and redirects are not followed', async () => {
  const received: { url: string | undefined; type: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ url: request.url, type: request.headers['content-type'], body })
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const { deliveries } = setUp()
  const { delivery, attempted } = deliveries.send({
    ...order,
    url: `http://127.0.0.1:${port}/cb?a=1&hmac=x`,
    retries: false,
  })
  await attempted
  expect(received).toEqual([{ url: '/cb?a=1&hmac=x', type: 'application/json', body: '{"a":1}' }])
  expect(delivery.attempts).toMatchObject([{ status: 302 }])
})

it('a refused connection is recorded with its cause', async () => {
  const { deliveries } = setUp()
  const { delivery, attempted } = deliveries.send({ ...order, url: 'http://127.0.0.1:1/', retries: false })
  await attempted
  expect(delivery.attempts).toMatchObject([{ status: null }])
  expect(delivery.attempts[0]?.error).toMatch(/ECONNREFUSED|bad port/)
})
