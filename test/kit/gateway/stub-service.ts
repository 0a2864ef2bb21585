import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** One request as received. */
export interface RecordedRequest {
  readonly method: string
  /** With the query, still encoded. */
  readonly path: string
  /** Without those that any HTTP client adds, and without `traces`. */
  readonly headers: Readonly<Record<string, string>>
  /** As sent; empty when there was none. */
  readonly body: string
}

/** The reaction to a request. */
export type Reply =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  /** Closes the connection without an answer. */
  | 'reset'
  /** Never answers. */
  | 'hang'
  /** Sends headers and the start of the body, and never ends it. */
  | 'hang-in-body'

export interface StubService {
  /** Without a slash at the end. */
  readonly url: string
  /** All requests, oldest first. */
  readonly requests: readonly RecordedRequest[]
  /** The headers of each request that name the work of ours it is part of. */
  readonly traces: readonly Readonly<Record<string, string>>[]
  /** The replies to the next requests, in this order. A request beyond the last one is answered with 599. */
  replies(...next: readonly Reply[]): void
  /** The reply to every request of a path: for requests that are sent in parallel. */
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

const traceHeaders = new Set(['x-request-id', 'traceparent'])

/** A local HTTP server that records requests and sends prepared replies. It ends with the test. */
export async function openStubService(): Promise<StubService> {
  const requests: RecordedRequest[] = []
  const traces: Record<string, string>[] = []
  const queue: Reply[] = []
  const standing = new Map<string, Reply>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    traces.push(chosen(request.headers, (name) => traceHeaders.has(name)))
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: chosen(request.headers, (name) => !addedByClient.has(name) && !traceHeaders.has(name)),
      body: Buffer.concat(chunks).toString('utf8'),
    })
    const reply = standing.get(request.url ?? '') ?? queue.shift()
    sendReply(reply ?? { status: 599, text: 'no reply was prepared' }, response)
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
    requests,
    traces,
    replies: (...next) => void queue.push(...next),
    always: (path, reply) => void standing.set(path, reply),
  }
}

/** A base URL that refuses connections: IANA has assigned the port to no service, and only root may open it. */
export const urlWithoutListener = 'http://127.0.0.1:4'

function chosen(headers: IncomingHttpHeaders, isChosen: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => isChosen(name))
      .map(([name, value]) => [name, String(value)]),
  )
}

function sendReply(reply: Reply, response: ServerResponse): void {
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

/** A stored sample of an external service: `sampleOf('payment', 'intention.created')`. */
export function sampleOf(wire: 'otp' | 'payment' | 'shipping' | 'tracking', name: string) {
  const path = fileURLToPath(new URL(`../../../shared/wire/${wire}/samples/${name}.json`, import.meta.url))
  return JSON.parse(readFileSync(path, 'utf8'))
}
