import { connect, type Socket } from 'node:net'

/** An HTTP/1.1 response. */
export interface Reply {
  readonly status: number
  /** Status line and headers, unparsed. */
  readonly head: string
  readonly body: Buffer
}

export type ReplyDone = (error: Error | undefined, reply?: Reply) => void

export interface ReplyReader {
  /** @throws when the bytes are not HTTP/1.1. */
  push(bytes: Buffer): void
  /** The server has closed the connection, which ends a response without a length. */
  end(): void
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/** Value of the first header of this name; undefined without it. */
export function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'im').exec(head)?.[1]
}

export function headersOf(head: string, name: string): string[] {
  return [...head.matchAll(new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'gim'))].map(([, value = '']) => value)
}

/** Parses responses from a connection, in chunks of any size. */
export function createReplyReader(onReply: (reply: Reply) => void): ReplyReader {
  let held: Buffer = Buffer.alloc(0)

  /** The next complete response of the buffer; undefined while it is incomplete. */
  function take(hasEnded: boolean): Reply | undefined {
    const at = held.indexOf(headEnd)
    if (at === -1) return undefined
    const head = held.toString('latin1', 0, at)
    const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
    if (status === undefined) throw new Error(`no HTTP/1.1: ${head.slice(0, 40)}`)
    const from = at + headEnd.length
    const length = headerOf(head, 'content-length')
    if (status === '204' || status === '304') return finish(head, status, from, from)
    if (length !== undefined) {
      const to = from + Number(length)
      return held.length >= to ? finish(head, status, from, to) : undefined
    }
    if (headerOf(head, 'transfer-encoding')?.toLowerCase() === 'chunked')
      return takeChunks(head, status, from)
    return hasEnded ? finish(head, status, from, held.length) : undefined
  }

  function takeChunks(head: string, status: string, from: number): Reply | undefined {
    const parts: Buffer[] = []
    for (let at = from; ; ) {
      const line = held.indexOf(lineEnd, at)
      if (line === -1) return undefined
      const size = Number.parseInt(held.toString('latin1', at, line), 16)
      if (!Number.isInteger(size)) throw new Error('no chunk of HTTP/1.1')
      const to = line + 2 + size
      if (held.length < to + 2) return undefined
      if (size === 0) return { ...finish(head, status, to + 2, to + 2), body: Buffer.concat(parts) }
      parts.push(held.subarray(line + 2, to))
      at = to + 2
    }
  }

  function finish(head: string, status: string, from: number, to: number): Reply {
    const reply = { status: Number(status), head, body: held.subarray(from, to) }
    held = held.subarray(to)
    return reply
  }

  return {
    push(bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      for (let reply = take(false); reply; reply = take(false)) onReply(reply)
    },
    end() {
      const reply = take(true)
      if (reply) onReply(reply)
    },
  }
}

/** Refuses every address but those of this machine: load must not be sent anywhere else. */
export function loopbackOf(url: string): { host: string; port: number; authority: string } {
  const { protocol, hostname, port, host } = new URL(url)
  if (protocol !== 'http:' || !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname))
    throw new Error(`${url} is not an http address of this machine`)
  return { host: hostname === '[::1]' ? '::1' : hostname, port: Number(port || 80), authority: host }
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request as bytes. */
export function bytesOf(authority: string, { method, path, headers = {}, body }: Request): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${authority}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/** One keep-alive connection, one request at a time. */
export interface Connection {
  send(bytes: Buffer, done: ReplyDone): void
  close(): void
}

/** Opens the socket with the first request, and again after the server has closed it. */
export function openConnection(url: string): Connection {
  const { host, port } = loopbackOf(url)
  let socket: Socket | undefined
  let waiting: ReplyDone | undefined

  function settle(error: Error | undefined, reply?: Reply): void {
    const done = waiting
    waiting = undefined
    done?.(error, reply)
  }

  function open(): Socket {
    const opened = connect({ host, port, noDelay: true })
    const fail = (error: Error) => {
      if (socket !== opened) return
      socket = undefined
      opened.destroy()
      settle(error)
    }
    const reader = createReplyReader((reply) => {
      // The next request needs a new socket: the server is closing this one.
      if (socket === opened && /^connection: *close/im.test(reply.head)) socket = undefined
      settle(undefined, reply)
    })
    const reading = (work: () => void) => {
      try {
        work()
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    }
    opened.on('data', (bytes: Buffer) => reading(() => reader.push(bytes)))
    opened.on('end', () => reading(() => reader.end()))
    opened.on('error', fail)
    opened.on('close', () => fail(new Error('the connection was closed')))
    return opened
  }

  return {
    send(bytes, done) {
      if (waiting) throw new Error('this connection waits for an answer')
      waiting = done
      socket ??= open()
      socket.write(bytes)
    },
    close() {
      const last = socket
      socket = undefined
      last?.destroy()
    },
  }
}

/** Keep-alive connections to one address, as many as are in use at once. */
export interface Pool {
  /** Rejects without a response within `timeoutMs`. */
  request(request: Request): Promise<Reply>
  /** Requests without a response so far. */
  pending(): number
  close(): void
}

export function openPool(url: string, { timeoutMs = 60_000 } = {}): Pool {
  const { authority } = loopbackOf(url)
  const idle: Connection[] = []
  const all = new Set<Connection>()
  let pending = 0
  return {
    request: (request) =>
      new Promise((resolve, reject) => {
        const connection = idle.pop() ?? openConnection(url)
        all.add(connection)
        pending += 1
        let isOver = false
        const over = (error: Error | undefined, reply?: Reply) => {
          if (isOver) return
          isOver = true
          pending -= 1
          clearTimeout(timer)
          if (reply) {
            idle.push(connection)
            resolve(reply)
          } else {
            all.delete(connection)
            connection.close()
            reject(error ?? new Error('no answer'))
          }
        }
        const timer = setTimeout(() => over(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
        connection.send(bytesOf(authority, request), over)
      }),
    pending: () => pending,
    close() {
      for (const connection of all) connection.close()
      all.clear()
    },
  }
}
