import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '#shared/platform/problem.ts'
import { signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import {
  ask,
  type Connection,
  type Headers,
  headerOf,
  openConnection,
  type RawAnswer,
} from '#test/kit/gateway/raw-http.ts'
import type { Stack } from '#test/kit/programs/stack.ts'

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
  const chunked = 'transfer-encoding: chunked'
  const ended = `0\r\n\r\n${smuggled}`
  const fitting = `content-length: ${inner.length}`
  const own = 'host: HOST'

  /** The headers of a request for a code, and what follows them. */
  it.each<[string, string[], string]>([
    ['with a length and chunks', [own, `content-length: ${5 + smuggled.length}`, chunked], ended],
    ['with chunks and a length', [own, chunked, 'content-length: 4'], ended],
    ['with two lengths', [own, 'content-length: 0', `content-length: ${smuggled.length}`], smuggled],
    ['with two lengths in one line', [own, `content-length: 0, ${smuggled.length}`], smuggled],
    ['with a negative length', [own, 'content-length: -1'], smuggled],
    ['with a length in another base', [own, 'content-length: 0x10'], smuggled],
    ['with a length and a plus', [own, 'content-length: +5'], smuggled],
    ['with an unknown encoding', [own, 'transfer-encoding: xchunked'], ended],
    ['with chunks that are not the last encoding', [own, 'transfer-encoding: chunked, identity'], ended],
    ['with two encodings', [own, chunked, 'transfer-encoding: identity'], ended],
    ['with a space before the colon', [own, 'transfer-encoding : chunked'], ended],
    ['with a folded line', [own, 'x-folded: a', ' transfer-encoding: chunked'], ended],
    ['with a chunk of no size', [own, chunked], `\r\n${smuggled}`],
    ['with a chunk larger than it is', [own, chunked], `fffffffffffffffff\r\n${smuggled}`],
    ['with a NUL in a header', [own, 'x-nul: a\u0000b'], ''],
    ['with a bare line end in a header', [own, 'x-bare: a\nx-other: b\rc'], ''],
    ['with two hosts', [own, 'host: elsewhere.example', fitting], inner],
    ['with no host', [fitting], inner],
  ])('%s is refused, and no request after it is executed', async (_, headers, rest) => {
    await refused(`${post(...headers.map((header) => header.replace('HOST', host)))}\r\n${rest}`)
  })

  it.each([
    [
      'with an address that names a host',
      `POST http://elsewhere.example/api/auth/request-otp HTTP/1.1\r\nhost: HOST\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\n${fitting}\r\n\r\n${inner}`,
    ],
    ['with another protocol', 'GET / HTTP/9.9\r\nhost: HOST\r\n\r\n'],
    ['that begins a tunnel', 'CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: HOST\r\n\r\n'],
  ])('%s is refused, and has no effect', (_, bytes) => refused(bytes.replace('HOST', host)))

  async function refused(bytes: string): Promise<void> {
    const before = [await rows.snapshot(), await stack.control.counters()]
    const answers = await exchange(bytes)
    for (const answer of answers) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      // Without a Host header Node's HTTP server answers itself, with an empty body.
      if (answer.body.length > 0) expect(isProblem(answer), answer.body.toString()).toBe(true)
    }
    expect(answers.length).toBeLessThanOrEqual(1)
    expect([await rows.snapshot(), await stack.control.counters()]).toEqual(before)
    expect(await isAlive()).toBe(200)
  }

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
})

describe('a body without end', () => {
  it.each([
    ['/api/auth/request-otp', 8 * 1024],
    ['/api/checkout', 16 * 1024],
    [`/api/payments/callback?hmac=${'0'.repeat(128)}`, 32 * 1024],
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
