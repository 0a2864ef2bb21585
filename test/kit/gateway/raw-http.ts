import { connect } from 'node:net'
import { expectNoOverload } from '../basics/patience.ts'

/**
 * HTTP over a plain socket, for requests that no client sends: broken lines, two lengths, half a body, one header a
 * second. Bytes are sent unchanged; answers are parsed as they arrive.
 */

export type Headers = readonly (readonly [string, string])[]

export interface RawAnswer {
  readonly status: number
  /** In the order received; names in lower case. */
  readonly headers: Headers
  readonly body: Buffer
}

export interface Connection {
  write(bytes: string | Uint8Array): void
  /** The next answer; undefined when the other side has ended the connection without one. */
  answer(): Promise<RawAnswer | undefined>
  /** Resolves when the connection is closed, with all bytes that were read and belong to no answer. */
  readonly ended: Promise<string>
  readonly isOpen: boolean
  destroy(): void
}

export const headerOf = ({ headers }: RawAnswer, name: string): string | undefined =>
  headers.find(([key]) => key === name)?.[1]

const isEventStream = ({ headers }: Pick<RawAnswer, 'headers'>) =>
  headers.some(([key, value]) => key === 'content-type' && value.startsWith('text/event-stream'))

export function openConnection(url: string): Connection {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let buffer: Buffer = Buffer.alloc(0)
  let isOpen = true
  const ready: RawAnswer[] = []
  const waiting: ((answer: RawAnswer | undefined) => void)[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()

  const deliver = (answer: RawAnswer) => {
    expectNoOverload(url, answer.body.toString('latin1'))
    const next = waiting.shift()
    if (next) next(answer)
    else ready.push(answer)
  }

  function readAll(isLast: boolean): void {
    for (;;) {
      const read = readAnswer(buffer, isLast)
      if (!read) return
      buffer = buffer.subarray(read.length)
      // 100 Continue is an interim response.
      if (read.answer.status >= 200) deliver(read.answer)
      if (isEventStream(read.answer)) return void socket.destroy()
    }
  }

  socket.on('data', (chunk: Buffer) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    readAll(false)
  })
  // A reset is one way to be cut off; `close` follows.
  socket.on('error', () => undefined)
  socket.on('end', () => socket.end())
  socket.on('close', () => {
    isOpen = false
    readAll(true)
    for (const next of waiting.splice(0)) next(undefined)
    end(buffer.toString('latin1'))
  })

  return {
    write: (bytes) => void (isOpen && socket.write(bytes)),
    answer() {
      const next = ready.shift()
      if (next || !isOpen) return Promise.resolve(next)
      return new Promise((resolve) => waiting.push(resolve))
    },
    ended,
    get isOpen() {
      return isOpen
    },
    destroy: () => socket.destroy(),
  }
}

/** The first answer in the bytes, and how many of them it took; undefined while it is not whole. */
function readAnswer(bytes: Buffer, isLast: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1])
  if (!status) throw new Error(`no answer of HTTP: ${first}`)
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const start = headEnd + 4
  const whole = (body: Buffer, end: number) => ({ answer: { status, headers, body }, length: end })
  if (status === 204 || status === 304 || status < 200) return whole(Buffer.alloc(0), start)
  const lookUp = (name: string) => headers.find(([key]) => key === name)?.[1]
  // It has no end: its head is all.
  if (isEventStream({ headers })) return whole(Buffer.alloc(0), bytes.length)
  if (lookUp('transfer-encoding') === 'chunked') {
    const chunked = readChunks(bytes, start)
    return chunked && whole(chunked.body, chunked.end)
  }
  const length = lookUp('content-length')
  if (length === undefined) return isLast ? whole(bytes.subarray(start), bytes.length) : undefined
  const end = start + Number(length)
  return bytes.length < end ? undefined : whole(bytes.subarray(start, end), end)
}

function readChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { body: Buffer.concat(chunks), end: next }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}

export interface RawRequest {
  readonly method: string
  /** The request target as sent; nothing is escaped. */
  readonly target: string
  readonly headers: Headers
  readonly body?: Uint8Array | string
}

/** The bytes of a request; the length is added unless a length or an encoding is given. */
export function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const content = Buffer.from(body ?? '')
  const isSized = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  if (body !== undefined && !isSized) lines.push(`content-length: ${content.length}\r\n`)
  // latin1 keeps each byte of a header that was written as one character.
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    content,
  ])
}

/** One request on a connection of its own; the address of the server is its Host header unless one is given. */
export async function ask(url: string, request: RawRequest): Promise<RawAnswer> {
  const connection = openConnection(url)
  try {
    const isNamed = request.headers.some(([name]) => name === 'host')
    const headers = isNamed ? request.headers : [['host', new URL(url).host] as const, ...request.headers]
    connection.write(bytesOf({ ...request, headers }))
    const answer = await connection.answer()
    if (!answer) throw new Error(`${request.method} ${request.target} was cut off without an answer`)
    return answer
  } finally {
    connection.destroy()
  }
}
