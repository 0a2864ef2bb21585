import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { bytesOf, openConnection } from '#test/kit/gateway/raw-http.ts'
import { registerConnectionLimits, serverOptions } from './connection-limits.ts'

/** For limits that are not under test, so that only the tested one can close the connection. */
const never = patienceMs

async function openServer(
  change: Partial<Parameters<typeof serverOptions>[0]> & { stallTimeoutMs?: number } = {},
) {
  const limits = {
    headersTimeoutMs: never,
    requestTimeoutMs: never,
    keepAliveTimeoutMs: never,
    maxConnections: 100,
    ...change,
  }
  const metrics = createMetrics()
  const app = Fastify(serverOptions(limits)) as unknown as FastifyInstance
  registerConnectionLimits(app, { ...limits, metrics })
  let handled = 0
  app.all('/', async () => {
    handled += 1
    return 'in'
  })
  const large = Buffer.alloc(256 * 1024 * 1024)
  app.get('/large', async () => large)
  const quiet = new PassThrough()
  app.get('/quiet', async (_, reply) => reply.send(quiet))
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const open = () => openConnection(`http://127.0.0.1:${port}`)
  const dropped = async () =>
    (await metrics.registry.getSingleMetric('amtiati_connections_dropped_total')?.get())?.values[0]?.value
  const nextSocket = async () => {
    const [socket] = (await once(app.server, 'connection')) as [Socket]
    return socket
  }
  return { open, dropped, quiet, port, nextSocket, handled: () => handled }
}

const host = ['host', 'localhost'] as const
const get = (target: string) => bytesOf({ method: 'GET', target, headers: [host] })
const whole = get('/')

describe('a client that sends an incomplete request', () => {
  it('is disconnected when its headers take too long', async () => {
    const connection = (await openServer({ headersTimeoutMs: 200 })).open()
    connection.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
    expect((await connection.answer())?.status).toBe(408)
    await connection.ended
  })

  it('is disconnected when it sends its headers byte by byte', async () => {
    const connection = (await openServer({ headersTimeoutMs: 200 })).open()
    connection.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
    const drip = setInterval(() => connection.write('a'), 20)
    onTestFinished(() => clearInterval(drip))
    expect((await connection.answer())?.status).toBe(408)
    await connection.ended
  })

  it('is disconnected when its body takes too long', async () => {
    const { open } = await openServer({ headersTimeoutMs: 200, requestTimeoutMs: 400 })
    const connection = open()
    const type = ['content-type', 'application/json'] as const
    connection.write(
      bytesOf({ method: 'POST', target: '/', headers: [host, type, ['content-length', '100']], body: '{' }),
    )
    expect((await connection.answer())?.status).toBe(408)
    await connection.ended
  })
})

describe('a silent client', () => {
  it('is disconnected like a slow one', async () => {
    const silent = (await openServer({ headersTimeoutMs: 200 })).open()
    expect((await silent.answer())?.status).toBe(408)
    await silent.ended
  })

  it('is disconnected when it sends only empty lines after a response', async () => {
    const { open } = await openServer({ headersTimeoutMs: 500, keepAliveTimeoutMs: 1_000 })
    // On a busy machine a first request may itself be late.
    const served = async () => {
      const connection = open()
      connection.write(whole)
      return (await connection.answer())?.status === 200 ? connection : undefined
    }
    const connection = await eventually(served)
    const drip = setInterval(() => connection.write('\r\n'), 50)
    onTestFinished(() => clearInterval(drip))
    await connection.ended
  })

  it('makes a connection available to another client when the limit is reached', async () => {
    const { open, dropped } = await openServer({ maxConnections: 50, headersTimeoutMs: 1_000 })
    const silent = Array.from({ length: 50 }, open)
    await Promise.all(silent.map(({ ended }) => ended))
    const honest = open()
    honest.write(whole)
    expect((await honest.answer())?.status).toBe(200)
    expect(await dropped()).toBe(0)
    honest.destroy()
  })
})

describe('an idle client', () => {
  it('is served on one connection for longer than the request timeout', async () => {
    const { open } = await openServer({ headersTimeoutMs: 2_000, requestTimeoutMs: 2_000 })
    const connection = open()
    const silent = open()
    let hasEnded = false
    void silent.ended.then(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      connection.write(whole)
      expect((await connection.answer())?.status).toBe(200)
      // Paced: a connection that has served 10,000 requests is closed.
      await pause(5)
    }
    connection.write(whole)
    expect((await connection.answer())?.status).toBe(200)
    connection.destroy()
  })

  it('is disconnected after the keep-alive timeout', async () => {
    const connection = (await openServer({ keepAliveTimeoutMs: 100 })).open()
    connection.write(whole)
    expect((await connection.answer())?.status).toBe(200)
    await connection.ended
  })
})

describe('a client with many requests on one connection', () => {
  it('is served up to sixteen that are unanswered', async () => {
    const connection = (await openServer()).open()
    connection.write(Buffer.concat(Array.from({ length: 16 }, () => whole)))
    for (let index = 0; index < 16; index += 1) expect((await connection.answer())?.status).toBe(200)
    connection.write(whole)
    expect((await connection.answer())?.status).toBe(200)
  })

  it('is disconnected beyond them, and its remaining requests are not worked on', async () => {
    const { open, handled } = await openServer()
    const connection = open()
    connection.write(Buffer.concat([get('/quiet'), ...Array.from({ length: 1_000 }, () => whole)]))
    await connection.ended
    expect(handled()).toBe(15)
  })
})

describe('a client that takes none of the bytes that wait for it', () => {
  it('is disconnected; a slow one, a quiet stream and an idle connection are not', async () => {
    const { port, quiet, nextSocket } = await openServer({ stallTimeoutMs: 1_000 })
    const openReader = async (target: string) => {
      const accepted = nextSocket()
      const socket = connect({ host: '127.0.0.1', port })
      socket.on('error', () => undefined)
      onTestFinished(() => void socket.destroy())
      socket.write(get(target))
      return { socket, accepted: await accepted }
    }
    const slow = await openReader('/large')
    const idle = await openReader('/')
    const stream = await openReader('/quiet')
    quiet.write('first')
    await once(idle.socket, 'readable')
    await once(stream.socket, 'readable')
    const silent = await openReader('/large')
    while (!silent.accepted.destroyed) {
      slow.socket.read(32_768)
      await pause(1)
    }
    expect([slow, idle, stream].map(({ accepted }) => accepted.destroyed)).toEqual([false, false, false])
  })
})

describe('connections above the limit', () => {
  it('are closed on arrival and counted; existing ones stay open', async () => {
    const { open, dropped } = await openServer({ maxConnections: 2 })
    const first = [open(), open()]
    for (const connection of first) {
      connection.write(whole)
      expect((await connection.answer())?.status).toBe(200)
    }
    const tooMany = open()
    tooMany.write(whole)
    expect(await tooMany.answer()).toBeUndefined()
    expect(await dropped()).toBe(1)
    for (const connection of first) {
      connection.write(whole)
      expect((await connection.answer())?.status).toBe(200)
      connection.destroy()
    }
  })
})
