import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  bytesOf,
  createReplyReader,
  headerOf,
  headersOf,
  loopbackOf,
  openPool,
  type Reply,
} from './connection.ts'

const wire = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\nhello',
  'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n',
  'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n',
].join('')

const shown = ({ status, body }: Reply) => [status, body.toString()]
const wanted = [
  [200, 'hello'],
  [304, ''],
  [200, 'abc0123456789'],
  [503, ''],
]

describe('responses parsed from a connection', () => {
  it('do not depend on the chunks in which they arrive', () => {
    for (let size = 1; size <= wire.length; size += 1) {
      const replies: Reply[] = []
      const reader = createReplyReader((reply) => replies.push(reply))
      for (let at = 0; at < wire.length; at += size) reader.push(Buffer.from(wire.slice(at, at + size)))
      expect(replies.map(shown)).toEqual(wanted)
    }
  })

  it('end with the connection without a length', () => {
    const replies: Reply[] = []
    const reader = createReplyReader((reply) => replies.push(reply))
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nto the e'))
    reader.push(Buffer.from('nd'))
    expect(replies).toEqual([])
    reader.end()
    expect(replies.map(shown)).toEqual([[200, 'to the end']])
  })

  it('are refused when they are not HTTP', () => {
    const reader = createReplyReader(() => undefined)
    expect(() => reader.push(Buffer.from('SSH-2.0-OpenSSH\r\n\r\n'))).toThrow('no HTTP/1.1')
  })

  it('give their headers by name in any case', () => {
    const replies: Reply[] = []
    createReplyReader((reply) => replies.push(reply)).push(Buffer.from(wire))
    const head = replies[0]?.head ?? ''
    expect(headerOf(head, 'content-length')).toBe('5')
    expect(headerOf(head, 'length')).toBeUndefined()
    expect(headersOf(head, 'set-cookie')).toEqual(['a=1', 'b=2'])
  })
})

describe('the addresses that may be loaded', () => {
  it.each(['http://localhost:3000', 'http://127.0.0.1:1', 'http://127.8.8.8:80', 'http://[::1]:3000'])(
    '%s is one',
    (url) => {
      expect(loopbackOf(url).port).toBeGreaterThan(0)
    },
  )

  it.each([
    'http://example.com',
    'https://localhost:3000',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com:3000',
    'http://10.0.0.1:3000',
    'http://0.0.0.0:3000',
    'http://[2001:db8::1]:3000',
  ])('exclude %s', (url) => {
    expect(() => loopbackOf(url)).toThrow('not an http address of this machine')
    expect(() => openPool(url)).toThrow('not an http address of this machine')
  })
})

describe('a pool of connections', () => {
  async function serve(listener: Parameters<typeof createServer>[1]) {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    let sockets = 0
    server.on('connection', () => {
      sockets += 1
    })
    const pool = openPool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      pool.close()
      server.close()
      server.closeAllConnections()
    })
    return { pool, sockets: () => sockets }
  }

  it('reuses idle connections, and opens as many as are in use', async () => {
    const { pool, sockets } = await serve((request, response) => {
      request.resume()
      response.end(`${request.method} ${request.url}`)
    })
    for (const path of ['/a', '/b']) {
      const { body } = await pool.request({ method: 'GET', path })
      expect(body.toString()).toBe(`GET ${path}`)
    }
    expect(sockets()).toBe(1)
    await Promise.all(['/c', '/d', '/e'].map((path) => pool.request({ method: 'GET', path })))
    expect(sockets()).toBe(3)
    expect(pool.pending()).toBe(0)
  })

  it('opens another one when the server closes one', async () => {
    const { pool, sockets } = await serve((_, response) => response.setHeader('connection', 'close').end('x'))
    for (let count = 1; count <= 3; count += 1) {
      expect((await pool.request({ method: 'GET', path: '/' })).status).toBe(200)
      expect(sockets()).toBe(count)
    }
  })

  it('throws when a connection breaks without a response', async () => {
    const { pool } = await serve((request) => request.socket.destroy())
    await expect(pool.request({ method: 'GET', path: '/' })).rejects.toThrow('closed')
    expect(pool.pending()).toBe(0)
  })

  it('sends a body with its length in bytes', async () => {
    const { pool } = await serve((request, response) => request.pipe(response))
    const body = JSON.stringify({ name: 'مريم' })
    expect((await pool.request({ method: 'POST', path: '/', body })).body.toString()).toBe(body)
    expect(bytesOf('localhost', { method: 'POST', path: '/', body }).toString()).toContain(
      'content-length: 19',
    )
  })
})
