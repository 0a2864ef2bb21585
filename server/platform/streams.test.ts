import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { failure } from '#server/platform/errors.ts'
import { createMetrics, type Metrics } from '#server/platform/metrics.ts'
import { systemRandom } from '#server/platform/random.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import type { Listener, Notice } from './database/listen.ts'
import { createStreams, type StreamSource, type Streams, streamsPerSession } from './streams.ts'

let metrics: Metrics
let streams: Streams
let database: Listener
let problem: Error | undefined
let isAdmitted: boolean
beforeEach(() => {
  problem = undefined
  isAdmitted = true
  streams = open()
})

function open(most = 10): Streams {
  const listen = (listener: Listener) => {
    database = listener
    return async () => undefined
  }
  metrics = createMetrics()
  const opened = createStreams({
    database: { listen },
    log: silentLog,
    metrics,
    random: systemRandom,
    most,
  })
  opened.setAgentFinder(async (orderId) => (orderId === 7 ? 'A1' : 'A2'))
  opened.start()
  return opened
}

async function check(): Promise<void> {
  if (problem) throw problem
}
const order: StreamSource = { topic: 'order', about: 7, check }
const share: StreamSource = { topic: 'share', about: 7, check }
const agent: StreamSource = { topic: 'agent', about: 'A1' }
const desk: StreamSource = { topic: 'desk', about: 7 }
const changed = { orderId: 7 }

/** Waits until pending work is done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const change = async (what = '7', channel: Notice['channel'] = 'amtiati_orders') => {
  database.onNotice({ channel, what })
  await settled()
}

/** Data sent to a reader: bodies, names of other events, and `:` for a comment. */
async function read(source = order, { key = 'session', previous = '', replaces = false } = {}) {
  const sent: unknown[] = []
  const ids: string[] = []
  const leave = await streams.open(
    source,
    {
      key,
      most: streamsPerSession,
      previous,
      replaces,
      isAdmitted: async () => isAdmitted,
      send(event) {
        sent.push(event === undefined ? ':' : (event.name ?? event.body))
        if (event) ids.push(event.id)
      },
      end: () => void sent.push('end'),
    },
    () => void sent.push('begin'),
  )
  return { sent, ids, leave }
}

describe('a stream', () => {
  it('sends a notice at once and after each change of its order, and nothing of the order', async () => {
    const [own, shared] = [await read(), await read(share)]
    await change()
    await change('8')
    expect(own.sent).toEqual(['begin', changed, changed])
    expect(shared.sent).toEqual(['begin', {}, {}])
  })

  it('sends a notice of a change that happens while it opens', async () => {
    const checking = Promise.withResolvers<void>()
    const opening = read({ ...order, check: () => checking.promise })
    await change()
    checking.resolve()
    const { sent } = await opening
    await settled()
    expect(sent).toEqual(['begin', changed, changed])
  })

  it('sends one notice for all changes that happen during a check', async () => {
    let checks = 0
    const { sent } = await read({
      ...order,
      async check() {
        checks += 1
        await settled()
      },
    })
    for (let changes = 0; changes < 20; changes += 1)
      database.onNotice({ channel: 'amtiati_orders', what: '7' })
    for (let turns = 0; turns < 5; turns += 1) await settled()
    expect(sent).toEqual(['begin', changed, changed, changed])
    expect(checks).toBe(3)
  })

  it('ends with its session, at once', async () => {
    const { sent } = await read()
    database.onNotice({ channel: 'amtiati_sessions', what: 'session' })
    expect(sent.slice(2)).toEqual(['closing', 'end'])
    await change()
    expect(sent).toHaveLength(4)
  })

  it('ends when its order or link is gone, without a notice', async () => {
    for (const source of [order, share]) {
      const { sent } = await read(source)
      problem = failure(ordersErrors, 'ORDER_NOT_FOUND')
      await change()
      expect(sent.slice(2)).toEqual(['closing', 'end'])
      problem = undefined
    }
  })

  it('ends when its link ends during the check of an earlier change', async () => {
    const { sent } = await read({
      ...share,
      async check() {
        const known = problem
        await settled()
        if (known) throw known
      },
    })
    database.onNotice({ channel: 'amtiati_orders', what: '7' })
    problem = failure(ordersErrors, 'ORDER_NOT_FOUND')
    database.onNotice({ channel: 'amtiati_orders', what: '7' })
    for (let turns = 0; turns < 5; turns += 1) await settled()
    expect(sent).toEqual(['begin', {}, {}, 'closing', 'end'])
  })

  it.each(['session', 'link'])('asks every minute whether its %s lives', async (what) => {
    const { sent } = await read()
    for (let beats = 0; beats < 4; beats += 1) await streams.beat()
    expect(sent.slice(2)).toEqual([':', ':', ':', ':'])
    if (what === 'session') isAdmitted = false
    else problem = failure(ordersErrors, 'ORDER_NOT_FOUND')
    for (let beats = 0; beats < 4; beats += 1) await streams.beat()
    expect(sent.slice(6)).toEqual([':', ':', ':', 'closing', 'end'])
  })

  it('outlives a lost database: the notice that could not be checked is sent with the next beat', async () => {
    const { sent } = await read()
    problem = new Error('lost')
    await change()
    for (let beats = 0; beats < 4; beats += 1) await streams.beat()
    expect(sent.slice(2)).toEqual([':', ':', ':', ':'])
    problem = undefined
    await streams.beat()
    expect(sent.slice(6)).toEqual([':', changed])
  })

  it('sends a notice where one may have been missed, not to all readers at once; a list begins anew', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    streams = open(100)
    let checks = 0
    const counted = {
      ...order,
      async check() {
        checks += 1
      },
    }
    for (let readers = 0; readers < 8; readers += 1) await read(counted, { key: `${readers}` })
    const [own, shared, list] = [await read(), await read(share), await read(agent)]
    checks = 0
    database.onGap()
    await vi.advanceTimersByTimeAsync(2_000)
    await settled()
    expect(checks).toBeGreaterThan(2)
    expect(checks).toBeLessThan(6)
    await vi.advanceTimersByTimeAsync(3_000)
    await settled()
    expect(checks).toBe(8)
    expect(own.sent.slice(2)).toEqual([changed])
    expect(shared.sent.slice(2)).toEqual([{}])
    expect(list.sent).toEqual(['begin', 'closing', 'end'])
  })

  it('sends no notice of a change that its reader does not see, and ends with its link', async () => {
    let news: boolean | Error = true
    const { sent } = await read({
      ...share,
      async hasChanged() {
        if (news instanceof Error) throw news
        return news
      },
    })
    await change()
    expect(sent).toEqual(['begin', {}, {}])
    news = false
    await change()
    expect(sent).toHaveLength(3)
    news = failure(ordersErrors, 'ORDER_NOT_FOUND')
    await change()
    expect(sent.slice(3)).toEqual(['closing', 'end'])
    await expect(read({ ...share, hasChanged: () => Promise.reject(news) })).rejects.toBe(news)
  })

  it('of an agent names the orders of the own list, each time', async () => {
    const { sent } = await read(agent)
    await change()
    await change('8')
    await change()
    expect(sent).toEqual(['begin', changed, changed])
  })

  it('of the desk names the open order at once, and sends at most one notice a second of the lists', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { sent } = await read(desk)
    // Both may have changed before it was open.
    expect(sent.splice(0)).toEqual(['begin', {}, changed])
    await change('7', 'amtiati_desk')
    expect(sent.splice(0)).toEqual([changed])
    // Ten changes a second, for five seconds.
    for (let changes = 0; changes < 50; changes += 1) {
      await vi.advanceTimersByTimeAsync(100)
      await change(changes % 2 === 0 ? '0' : '8', changes % 3 === 0 ? 'amtiati_desk' : 'amtiati_orders')
    }
    expect(sent.splice(0)).toEqual([{}, {}, {}, {}, {}])
    await vi.advanceTimersByTimeAsync(1_000)
    await settled()
    expect(sent.splice(0)).toEqual([{}])
    await vi.advanceTimersByTimeAsync(10_000)
    await change('7', 'amtiati_desk_order')
    await vi.advanceTimersByTimeAsync(1_000)
    await settled()
    expect(sent.splice(0)).toEqual([changed])
    database.onGap()
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual(['closing', 'end'])
  })

  it('is closed where the gateway stops; one that begins then sends its first notice before', async () => {
    const { sent } = await read()
    streams.endAll()
    expect(sent.slice(2)).toEqual(['closing', 'end'])
    const late = await read()
    expect(late.sent).toEqual(['begin', changed, 'closing', 'end'])
    expect(streams.size()).toBe(0)
  })
})

describe('limits', () => {
  const refused = { code: 'TOO_MANY_STREAMS' }

  it('are three of a session, and one more for each that is left', async () => {
    const opened = [await read(), await read(), await read(agent)]
    await expect(read()).rejects.toMatchObject(refused)
    await read(order, { key: 'another session' })
    opened[0]?.leave()
    await read()
  })

  it('count a stream that took the place of another once', async () => {
    const [first] = [await read(), await read(), await read()]
    await read(order, { previous: first?.ids[0] ?? '' })
    expect(first?.sent.slice(2)).toEqual(['closing', 'end'])
    await expect(read(order, { previous: first?.ids[0] ?? '' })).rejects.toMatchObject(refused)
    const other = await read(order, { key: 'another session' })
    await read(order, { key: 'a third one', previous: other.ids[0] ?? '' })
    expect(other.sent).toHaveLength(2)
  })

  it('count the one stream of a browser once, whatever a proxy holds of those before', async () => {
    const before = await read(order, { replaces: true })
    const [beside, other] = [await read(), await read(order, { key: 'another session', replaces: true })]
    for (let pages = 0; pages < 4; pages += 1) await read(order, { replaces: true })
    expect(before.sent.slice(2)).toEqual(['closing', 'end'])
    for (const { sent } of [beside, other]) expect(sent).toHaveLength(2)
    expect(streams.size()).toBe(3)
  })

  it('are those of the gateway, half of them for shared links', async () => {
    streams = open(4)
    for (const key of ['a', 'b']) await read(share, { key })
    await expect(read(share, { key: 'c' })).rejects.toMatchObject(refused)
    for (const key of ['d', 'e']) await read(order, { key })
    await expect(read(order, { key: 'f' })).rejects.toMatchObject(refused)
    expect(await measured({ metrics }, 'amtiati_event_streams{topic="share"}')).toBe(2)
    expect(await measured({ metrics }, 'amtiati_event_streams_refused_total{of="gateway"}')).toBe(2)
  })

  it('are free again after a stream that could not begin', async () => {
    problem = failure(ordersErrors, 'ORDER_NOT_FOUND')
    for (let tries = 0; tries < 4; tries += 1)
      await expect(read()).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
    expect(streams.size()).toBe(0)
  })
})
