import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '#shared/platform/problem.ts'
import { signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { ownStack } from '#test/kit/in-process.ts'
import {
  ask,
  type Connection,
  type Headers,
  headerOf,
  openConnection,
  type RawAnswer,
} from '#test/kit/raw-http.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import type { Stack } from '#test/kit/stack.ts'

/** HTTP below the API: requests that two parsers read differently (request smuggling), and endless bodies. */

let stack: Stack
let rows: Rows
let host: string
beforeAll(async () => {
  // The tests wait for the end of connections that stay open after an answer.
  stack = await ownStack({ limits: { keepAliveTimeoutMs: 1_000 } })
  rows = openRows(stack)
  host = new URL(stack.gatewayUrl).host
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const isProblem = ({ body }: RawAnswer) => {
  try {
    return Value.Check(Problem, JSON.parse(body.toString('utf8')))
  } catch {
    return false
  }
}

async function read(connection: Connection): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = []
  for (let answer = await connection.answer(); answer; answer = await connection.answer())
    answers.push(answer)
  return answers
}

/** Sends the bytes in one write, and reads everything until the server closes the connection. */
async function exchange(bytes: string): Promise<RawAnswer[]> {
  const connection = openConnection(stack.gatewayUrl)
  connection.write(bytes)
  const answers = await read(connection)
  await connection.ended
  return answers
}

const isAlive = async () =>
  (await ask(stack.gatewayUrl, { method: 'GET', target: '/healthz', headers: [] })).status

const phone = '+966512345670'
const post = (...headers: readonly string[]) =>
  `POST /api/auth/request-otp HTTP/1.1\r\n${headers.join('\r\n')}\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\n`
const inner = JSON.stringify({ phone })
const smuggled = `POST /api/auth/request-otp HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: ${inner.length}\r\n\r\n${inner}`

describe('a request whose end two parsers see differently', () => {
  it.each<[string, () => string]>([
    [
      'with a length and chunks',
      () =>
        `${post(`host: ${host}`, `content-length: ${5 + smuggled.length}`, 'transfer-encoding: chunked')}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'with chunks and a length',
      () =>
        `${post(`host: ${host}`, 'transfer-encoding: chunked', 'content-length: 4')}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'with two lengths',
      () =>
        `${post(`host: ${host}`, 'content-length: 0', `content-length: ${smuggled.length}`)}\r\n${smuggled}`,
    ],
    [
      'with two lengths in one line',
      () => `${post(`host: ${host}`, `content-length: 0, ${smuggled.length}`)}\r\n${smuggled}`,
    ],
    ['with a negative length', () => `${post(`host: ${host}`, 'content-length: -1')}\r\n${smuggled}`],
    [
      'with a length in another base',
      () => `${post(`host: ${host}`, 'content-length: 0x10')}\r\n${smuggled}`,
    ],
    ['with a length and a plus', () => `${post(`host: ${host}`, 'content-length: +5')}\r\n${smuggled}`],
    [
      'with an unknown encoding',
      () => `${post(`host: ${host}`, 'transfer-encoding: xchunked')}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'with chunks that are not the last encoding',
      () => `${post(`host: ${host}`, 'transfer-encoding: chunked, identity')}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'with two encodings',
      () =>
        `${post(`host: ${host}`, 'transfer-encoding: chunked', 'transfer-encoding: identity')}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'with a space before the colon',
      () => `${post(`host: ${host}`, 'transfer-encoding : chunked')}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'with a folded line',
      () => `${post(`host: ${host}`, 'x-folded: a', ' transfer-encoding: chunked')}\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'with a chunk of no size',
      () => `${post(`host: ${host}`, 'transfer-encoding: chunked')}\r\n\r\n${smuggled}`,
    ],
    [
      'with a chunk larger than it is',
      () => `${post(`host: ${host}`, 'transfer-encoding: chunked')}\r\nfffffffffffffffff\r\n${smuggled}`,
    ],
    ['with a NUL in a header', () => `${post(`host: ${host}`, 'x-nul: a\u0000b')}\r\n`],
    ['with a bare line end in a header', () => `${post(`host: ${host}`, 'x-bare: a\nx-other: b\rc')}\r\n`],
    [
      'with two hosts',
      () =>
        `${post(`host: ${host}`, 'host: elsewhere.example', `content-length: ${inner.length}`)}\r\n${inner}`,
    ],
    ['with no host', () => `${post(`content-length: ${inner.length}`)}\r\n${inner}`],
    [
      'with an address that names a host',
      () =>
        `POST http://elsewhere.example/api/auth/request-otp HTTP/1.1\r\nhost: ${host}\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: ${inner.length}\r\n\r\n${inner}`,
    ],
    ['with another protocol', () => `GET / HTTP/9.9\r\nhost: ${host}\r\n\r\n`],
    ['that begins a tunnel', () => `CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: ${host}\r\n\r\n`],
  ])('%s is refused, and no request after it is executed', async (_, bytes) => {
    const before = [await rows.snapshot(), await stack.control.counters()]
    const answers = await exchange(bytes())
    for (const answer of answers) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      // Without a Host header Node's HTTP server answers itself, with an empty body.
      if (answer.body.length > 0) expect(isProblem(answer), answer.body.toString()).toBe(true)
    }
    expect(answers.length).toBeLessThanOrEqual(1)
    expect([await rows.snapshot(), await stack.control.counters()]).toEqual(before)
    expect(await isAlive()).toBe(200)
  })

  it('is not made by a body: text in it that looks like a request is read as body', async () => {
    const connection = openConnection(stack.gatewayUrl)
    const { sends } = await stack.control.counters()
    connection.write(`${post(`host: ${host}`, `content-length: ${smuggled.length}`)}\r\n${smuggled}`)
    const answer = await connection.answer()
    expect(answer?.status).toBe(400)
    connection.write(`GET /api/config HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
    // A second answer must be that of the next request, or there is none.
    expect([200, undefined]).toContain((await connection.answer())?.status)
    connection.destroy()
    expect((await stack.control.counters()).sends).toBe(sends)
  })

  it('differs from pipelining: several requests on one connection are all answered, in order', async () => {
    const connection = openConnection(stack.gatewayUrl)
    const targets = ['/api/config', '/api/nothing', '/healthz', '/api/auth/user']
    connection.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`).join(''))
    const statuses: (number | undefined)[] = []
    for (const _ of targets) statuses.push((await connection.answer())?.status)
    connection.destroy()
    expect(statuses).toEqual([200, 404, 200, 401])
  })
})

describe('a body without end', () => {
  it.each([
    ['/api/auth/request-otp', 8 * 1024],
    ['/api/checkout', 16 * 1024],
    ['/api/payments/callback', 64 * 1024],
  ])('to %s is refused beyond its limit, with a Content-Length or streamed', async (target, limit) => {
    const { person } = await signedUpPilgrim(stack)
    const before = await rows.snapshot()
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers: Headers = [
      ['cookie', cookie],
      ['content-type', 'application/json'],
      ['sec-fetch-site', 'same-origin'],
    ]
    const body = JSON.stringify({ pad: 'x'.repeat(limit) })
    const said = await ask(stack.gatewayUrl, { method: 'POST', target, headers, body })
    expect(said.status).toBe(413)
    expect(isProblem(said)).toBe(true)
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const streamed = await ask(stack.gatewayUrl, {
      method: 'POST',
      target,
      headers: [...headers, ['transfer-encoding', 'chunked']],
      body: chunked,
    })
    expect(streamed.status).toBe(413)
    expect(await rows.snapshot()).toEqual(before)
    // The content is parsed and checked as usual.
    const fitting = JSON.stringify({ pad: 'x'.repeat(limit - 100) })
    expect(
      (await ask(stack.gatewayUrl, { method: 'POST', target, headers, body: fitting })).status,
    ).toBeLessThan(413)
  })

  it('in a header is refused', async () => {
    for (const headers of [
      [['x-long', 'y'.repeat(17_000)]],
      Array.from({ length: 3_000 }, (_, index) => [`x-${index}`, 'y']),
    ] as unknown as Headers[]) {
      const answer = await ask(stack.gatewayUrl, { method: 'GET', target: '/api/config', headers })
      expect(answer.status).toBe(431)
      expect(isProblem(answer)).toBe(true)
    }
  })
})

describe('a line end inside a value', () => {
  it.each([
    '/api/orders/barcode/123456%0d%0aset-cookie:%20a=b',
    '/api/orders/barcode/123456.pdf?download=%0d%0aset-cookie:%20a=b',
    '/%0d%0aset-cookie:%20a=b',
    '/api/docs%0d%0aset-cookie:%20a=b',
    '/thank-you?a=%0d%0aset-cookie:%20a=b',
  ])('creates no header: %s', async (target) => {
    const answer = await ask(stack.gatewayUrl, {
      method: 'GET',
      target,
      headers: [
        ['cookie', 'lang=en%0d%0aset-cookie:a=b'],
        ['accept-language', 'en%0d%0ax-made: 1'],
      ],
    })
    expect(answer.status).toBeLessThan(500)
    expect(headerOf(answer, 'set-cookie') ?? '').not.toContain('a=b')
    expect(headerOf(answer, 'x-made')).toBeUndefined()
  })
})
