import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { registerGracefulClose, type Stopping } from './graceful-close.ts'

interface Served {
  readonly app: FastifyInstance
  readonly stopping: Stopping
  readonly port: number
  slowOnes(count: number): Promise<void>
  answerSlowOnes(): void
}

async function openServer(): Promise<Served> {
  const app = Fastify()
  const stopping = registerGracefulClose(app)
  const free = Promise.withResolvers<void>()
  let slow = 0
  let onSlow: (() => void) | undefined
  app.get('/quick', async () => 'quick')
  app.get('/slow', async () => {
    slow += 1
    onSlow?.()
    await free.promise
    return 'slow'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    free.resolve()
    return app.close()
  })
  return {
    app,
    stopping,
    port: (app.server.address() as AddressInfo).port,
    slowOnes: (count) =>
      new Promise((resolve) => {
        onSlow = () => slow >= count && resolve()
        onSlow()
      }),
    answerSlowOnes: () => free.resolve(),
  }
}

/** A client with one connection, which it keeps as long as the server does. */
function openClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (path: string): Promise<IncomingMessage & { text: string }> => {
    const sent = request({ host: '127.0.0.1', port, path, agent }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer) text += chunk
    return Object.assign(answer, { text })
  }
}

describe('a draining gateway', () => {
  it('continues to serve, with Connection: close', async () => {
    const { stopping, port, slowOnes, answerSlowOnes } = await openServer()
    const before = openClient(port)
    expect((await before('/quick')).headers.connection).toBe('keep-alive')
    const slow = openClient(port)('/slow')
    await slowOnes(1)

    const noticed = Promise.withResolvers<void>()
    const drained = stopping.drain(noticed.promise)
    expect(stopping.signal.aborted).toBe(true)
    // On the connection that was kept alive, and on a new one.
    for (const client of [before, openClient(port)])
      expect(await client('/quick')).toMatchObject({
        statusCode: 200,
        text: 'quick',
        headers: { connection: 'close' },
      })
    noticed.resolve()
    answerSlowOnes()
    expect(await slow).toMatchObject({ statusCode: 200, text: 'slow', headers: { connection: 'close' } })
    await drained
  })

  it('then accepts no connections, and closes open ones after the last response', async () => {
    const { stopping, port, slowOnes, answerSlowOnes } = await openServer()
    const idle = openClient(port)
    await idle('/quick')
    // Opened in advance without a request, as browsers do.
    const unused = connect({ host: '127.0.0.1', port }).on('error', () => undefined)
    await once(unused, 'connect')
    const slow = openClient(port)('/slow')
    await slowOnes(1)
    const drained = stopping.drain(Promise.resolve())
    const isClosed = once(unused, 'close')
    answerSlowOnes()
    expect((await slow).text).toBe('slow')
    await Promise.all([drained, isClosed])
    await expect(idle('/quick')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('still serves connections that were idle when it stopped accepting new ones', async () => {
    const { app, stopping, port, slowOnes, answerSlowOnes } = await openServer()
    const idle = openClient(port)
    await idle('/quick')
    const slow = openClient(port)('/slow')
    await slowOnes(1)
    const drained = stopping.drain(Promise.resolve())
    while (app.server.listening) await nextTurn()
    expect(await idle('/quick')).toMatchObject({ statusCode: 200, headers: { connection: 'close' } })
    // A slow answer: the server must wait for it.
    for (let turn = 0; turn < 100; turn += 1) await nextTurn()
    answerSlowOnes()
    expect((await slow).text).toBe('slow')
    await drained
  })

  it('answers all who were connected before, on a machine too slow to accept them at once', async () => {
    const { app, stopping, port } = await openServer()
    app.server.on('connection', () => {
      const endsAt = performance.now() + 60
      while (performance.now() < endsAt);
    })
    const clients = Array.from({ length: 10 }, () => openClient(port)('/quick'))
    await stopping.drain(Promise.resolve())
    await app.close()
    const ends = await Promise.allSettled(clients)
    expect(ends.map(({ status }) => status)).toEqual(clients.map(() => 'fulfilled'))
  })

  it('stops accepting connections although they keep coming', async () => {
    const { app, stopping, port } = await openServer()
    let hasEnded = false
    const visitors = Array.from({ length: 5 }, async () => {
      while (!hasEnded) await openClient(port)('/quick').catch(() => undefined)
    })
    await stopping.drain(Promise.resolve())
    expect(app.server.listening).toBe(false)
    hasEnded = true
    await Promise.all(visitors)
  })

  it('does not wait for the response to a client that disconnected', async () => {
    const { stopping, port, slowOnes } = await openServer()
    const sent = request({ host: '127.0.0.1', port, path: '/slow' }).end()
    sent.on('error', () => undefined)
    await slowOnes(1)
    const drained = stopping.drain(Promise.resolve())
    sent.destroy()
    await drained
  })
})
