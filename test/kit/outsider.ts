import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** One request as it came over the wire. */
export interface Heard {
  readonly method: string
  /** With the query, still encoded. */
  readonly path: string
  /** What our side chose to say; what any HTTP client adds by itself is left out. */
  readonly headers: Readonly<Record<string, string>>
  /** As sent; empty when there was none. */
  readonly body: string
}

/** What the outsider does about a request. */
export type Reply =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  /** Closes the connection without a word. */
  | 'reset'
  /** Keeps the caller waiting for ever. */
  | 'hang'
  /** Promises a body, sends the beginning of it, and goes silent. */
  | 'hang-in-body'

export interface Outsider {
  /** Without a slash at the end. */
  readonly url: string
  /** Everything that was asked, oldest first. */
  readonly heard: readonly Heard[]
  /** The replies to the next requests, in this order. A request beyond the last one is answered with 599. */
  replies(...next: readonly Reply[]): void
  /** The reply to every request of a path, whenever it comes: for questions that go out side by side. */
  always(path: string, reply: Reply): void
}

/** Added by the HTTP client, not by our code. */
const addedByClient = new Set([
  'host',
  'connection',
  'user-agent',
  'accept-language',
  'accept-encoding',
  'sec-fetch-mode',
  'content-length',
  'transfer-encoding',
])

/** A local HTTP server that records what it was sent and replies as it is told. It ends with the test. */
export async function openOutsider(): Promise<Outsider> {
  const heard: Heard[] = []
  const queue: Reply[] = []
  const standing = new Map<string, Reply>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    heard.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: chosen(request.headers),
      body: Buffer.concat(chunks).toString('utf8'),
    })
    const reply = standing.get(request.url ?? '') ?? queue.shift()
    carryOut(reply ?? { status: 599, text: 'no reply was prepared' }, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    replies: (...next) => void queue.push(...next),
    always: (path, reply) => void standing.set(path, reply),
  }
}

/** A base URL that nobody listens on. */
export async function nobodyThere(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

function chosen(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !addedByClient.has(name))
      .map(([name, value]) => [name, String(value)]),
  )
}

function carryOut(reply: Reply, response: ServerResponse): void {
  if (reply === 'hang') return
  if (reply === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  if (reply === 'hang-in-body') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"half":')
    return
  }
  if ('json' in reply)
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json))
  else response.writeHead(reply.status, { 'content-type': 'text/plain', ...reply.headers }).end(reply.text)
}

/** A stored sample of an outsider's wire: `sampleOf('payment', 'intention.created')`. */
export function sampleOf(wire: 'otp' | 'payment' | 'shipping', name: string) {
  const path = fileURLToPath(new URL(`../../shared/wire/${wire}/samples/${name}.json`, import.meta.url))
  return JSON.parse(readFileSync(path, 'utf8'))
}
