import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { bytesOf, openConnection } from '#test/kit/raw-http.ts'
import { registerConnectionLimits, serverOptions } from './connection-limits.ts'

/** Limits so far apart that only the one under test can have cut the connection. */
const never = 60_000

async function openServer(change: Partial<Parameters<typeof serverOptions>[0]> = {}) {
  const limits = {
    headersTimeoutMs: never,
    requestTimeoutMs: never,
    keepAliveTimeoutMs: never,
    maxConnections: 100,
    ...change,
  }
  const metrics = createMetrics()
  const app = Fastify(serverOptions(limits)) as unknown as FastifyInstance
  registerConnectionLimits(app, { maxConnections: limits.maxConnections, metrics })
  app.all('/', async () => 'in')
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const open = () => openConnection(`http://127.0.0.1:${port}`)
  const dropped = async () =>
    (await metrics.registry.getSingleMetric('connections_dropped_total')?.get())?.values[0]?.value
  return { open, dropped }
}

const host = ['host', 'localhost'] as const
const whole = bytesOf({ method: 'GET', target: '/', headers: [host] })

describe('a caller who does not get to the end', () => {
  it('of the headers is cut off', async () => {
    const connection = (await openServer({ headersTimeoutMs: 200 })).open()
    connection.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
    expect((await connection.answer())?.status).toBe(408)
    await connection.ended
  })

  it('of the headers is cut off while he still sends, a byte at a time', async () => {
    const connection = (await openServer({ headersTimeoutMs: 200 })).open()
    connection.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
    const drip = setInterval(() => connection.write('a'), 20)
    onTestFinished(() => clearInterval(drip))
    expect((await connection.answer())?.status).toBe(408)
    await connection.ended
  })

  it('of the body is cut off', async () => {
    const { open } = await openServer({ headersTimeoutMs: 200, requestTimeoutMs: 400 })
    const connection = open()
    const type = ['content-type', 'application/json'] as const
    connection.write(
      bytesOf({ method: 'POST', target: '/', headers: [host, type, ['content-length', '100']], body: '{' }),
    )
    expect((await connection.answer())?.status).toBe(408)
    await connection.ended
  })

  it('of the headers because they are too many is told so', async () => {
    const connection = (await openServer()).open()
    connection.write(bytesOf({ method: 'GET', target: '/', headers: [host, ['x', 'x'.repeat(17_000)]] }))
    expect((await connection.answer())?.status).toBe(431)
  })
})

describe('an honest caller', () => {
  it('is answered again and again on one connection', async () => {
    const connection = (await openServer({ headersTimeoutMs: 200, requestTimeoutMs: 400 })).open()
    for (let round = 0; round < 3; round += 1) {
      connection.write(whole)
      expect((await connection.answer())?.status).toBe(200)
    }
    connection.destroy()
  })

  it('who has nothing more to say is let go', async () => {
    const connection = (await openServer({ keepAliveTimeoutMs: 100 })).open()
    connection.write(whole)
    expect((await connection.answer())?.status).toBe(200)
    await connection.ended
  })
})

describe('too many connections', () => {
  it('are closed as they come, and counted; those that are there go on', async () => {
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
