import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { failure } from '#server/platform/errors.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import type { Listener, Notice } from './database/listen.ts'
import { createStreams, type StreamSource, type Streams, streamsPerSession } from './streams.ts'

let streams: Streams
let database: Listener
/** What is stored of order 7; an error is thrown by who reads it. */
let stored: object | Error
let isAdmitted: boolean
beforeEach(() => {
  stored = { state: 'READY' }
  isAdmitted = true
  streams = open()
})

function open(most = 10): Streams {
  const listen = (listener: Listener) => {
    database = listener
    return async () => undefined
  }
  const opened = createStreams({ database: { listen }, log: silentLog, metrics: createMetrics(), most })
  opened.setAgentFinder(async (orderId) => (orderId === 7 ? 'A1' : 'A2'))
  opened.start()
  return opened
}

const order: StreamSource = {
  topic: 'order',
  about: 7,
  async read() {
    if (stored instanceof Error) throw stored
    return stored
  },
}
const agent: StreamSource = {
  topic: 'agent',
  about: 'A1',
  read: async (orderId) => (orderId === undefined ? undefined : { orderId }),
}

/** Everything that happens by itself has happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const change = async (next: object | Error) => {
  stored = next
  database.onNotice({ channel: 'amtiati_orders', what: '7' })
  await settled()
}

/** What a reader was sent: bodies, names of other events, and `:` for a comment. */
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
  it('says what there is, and then each change once', async () => {
    const { sent } = await read()
    await change({ state: 'READY' })
    await change({ state: 'HANDED_OVER' })
    database.onNotice({ channel: 'amtiati_orders', what: '8' })
    await settled()
    expect(sent).toEqual(['begin', { state: 'READY' }, { state: 'HANDED_OVER' }])
  })

  it('says last what is stored last, also when it changes while it is read', async () => {
    const reading = Promise.withResolvers<void>()
    const opening = read({
      ...order,
      async read() {
        const before = stored
        await reading.promise
        return before as object
      },
    })
    await change({ state: 'HANDED_OVER' })
    reading.resolve()
    const { sent } = await opening
    await settled()
    expect(sent).toEqual(['begin', { state: 'READY' }, { state: 'HANDED_OVER' }])
  })

  it('ends with its session, at once', async () => {
    const { sent } = await read()
    database.onNotice({ channel: 'amtiati_sessions', what: 'session' })
    expect(sent.slice(2)).toEqual(['closing', 'end'])
    await change({ state: 'HANDED_OVER' })
    expect(sent).toHaveLength(4)
  })

  it('ends when its order or link is gone, and says nothing more of it', async () => {
    const { sent } = await read()
    await change(failure(ordersErrors, 'ORDER_NOT_FOUND'))
    expect(sent.slice(2)).toEqual(['closing', 'end'])
  })

  it('asks every minute whether its session lives, and reads again what time alone changes', async () => {
    const { sent } = await read()
    stored = { state: 'READY', cancellable: false }
    for (let beats = 0; beats < 4; beats += 1) await streams.beat()
    await settled()
    expect(sent.slice(2)).toEqual([':', ':', ':', ':', { state: 'READY', cancellable: false }])
    isAdmitted = false
    for (let beats = 0; beats < 4; beats += 1) await streams.beat()
    expect(sent.slice(-2)).toEqual(['closing', 'end'])
  })

  it('outlives a lost database: what it could not read it reads with the next beat', async () => {
    const { sent } = await read()
    await change(new Error('lost'))
    expect(sent).toHaveLength(2)
    stored = { state: 'HANDED_OVER' }
    await streams.beat()
    expect(sent.slice(2)).toEqual([':', { state: 'HANDED_OVER' }])
  })

  it('reads again where something may have been missed; a list begins anew', async () => {
    const [one, list] = [await read(), await read(agent)]
    stored = { state: 'HANDED_OVER' }
    database.onGap()
    await settled()
    expect(one.sent.slice(2)).toEqual([{ state: 'HANDED_OVER' }])
    expect(list.sent).toEqual(['begin', 'closing', 'end'])
  })

  it('of an agent names the orders of the own list, each time', async () => {
    const { sent } = await read(agent)
    await change({})
    database.onNotice({ channel: 'amtiati_orders', what: '8' })
    await change({})
    expect(sent).toEqual(['begin', { orderId: 7 }, { orderId: 7 }])
  })

  it('of the desk names the open order at once, and tells of the lists once, a second after the first of several changes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let count = 0
    const { sent } = await read({
      topic: 'desk',
      about: 7,
      async read(orderId) {
        return orderId === undefined ? { lists: [count++] } : { order: orderId }
      },
    })
    const say = async (channel: Notice['channel'], what: string) => {
      database.onNotice({ channel, what })
      await settled()
    }
    await say('amtiati_desk', '7')
    await say('amtiati_desk', '0')
    await say('amtiati_orders', '8')
    expect(sent).toEqual(['begin', { lists: [0] }, { order: 7 }])
    expect(streams.deskRevisions()).toEqual({ acts: 2, orders: 1, takes: 0 })
    await vi.advanceTimersByTimeAsync(1_000)
    await settled()
    expect(sent.slice(3)).toEqual([{ lists: [1] }])
    // What was read before is told to no stream.
    expect(streams.deskRevisions()).toEqual({ acts: 3, orders: 1, takes: 0 })
    // A row that was taken leaves the lists as they are.
    await say('amtiati_desk_order', '7')
    await vi.advanceTimersByTimeAsync(1_000)
    await settled()
    expect(sent.slice(4)).toEqual([{ order: 7 }, { lists: [2] }])
    expect(streams.deskRevisions()).toEqual({ acts: 3, orders: 1, takes: 1 })
    database.onGap()
    expect(sent.slice(6)).toEqual(['closing', 'end'])
    expect(streams.deskRevisions()).toEqual({ acts: 4, orders: 1, takes: 2 })
  })

  it('of the desk that opens later begins with what pilgrims have changed', () => {
    database.onNotice({ channel: 'amtiati_orders', what: '8' })
    expect(streams.deskRevisions()).toEqual({ acts: 1, orders: 0, takes: 0 })
  })

  it('is closed where the gateway stops; one that begins then says what there is first', async () => {
    const { sent } = await read()
    streams.endAll()
    expect(sent.slice(2)).toEqual(['closing', 'end'])
    const late = await read()
    expect(late.sent).toEqual(['begin', { state: 'READY' }, 'closing', 'end'])
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
    const share: StreamSource = { ...order, topic: 'share' }
    for (const key of ['a', 'b']) await read(share, { key })
    await expect(read(share, { key: 'c' })).rejects.toMatchObject(refused)
    for (const key of ['d', 'e']) await read(order, { key })
    await expect(read(order, { key: 'f' })).rejects.toMatchObject(refused)
  })

  it('are free again after a stream that could not begin', async () => {
    stored = failure(ordersErrors, 'ORDER_NOT_FOUND')
    for (let tries = 0; tries < 4; tries += 1)
      await expect(read()).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
    expect(streams.size()).toBe(0)
  })
})
