import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '#server/platform/metrics.ts'

export interface ConnectionLimits {
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  readonly maxConnections: number
}

/** A connection with more unanswered requests than this is closed. Browsers and proxies send one at a time. */
const maxOutstanding = 16
/** A connection is closed when bytes wait for its client and the client reads none of them for this long. */
const defaultStallTimeoutMs = 10_000
const stalledChecks = 10

const maxRequestsPerSocket = 10_000
const maxHeaderBytes = 16 * 1024

export function serverOptions({ headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs }: ConnectionLimits) {
  return {
    // `requestTimeout` must stand here: Fastify would overwrite a value in `http` with its default 0, which means no
    // limit.
    requestTimeout: requestTimeoutMs,
    http: {
      // Node limits a request by the longer of `requestTimeout` and `headersTimeout`.
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.max(50, Math.min(2_000, headersTimeoutMs / 4)),
      maxHeaderSize: maxHeaderBytes,
    },
    keepAliveTimeout: keepAliveTimeoutMs,
    maxRequestsPerSocket,
  }
}

type Waits = Pick<ConnectionLimits, 'headersTimeoutMs' | 'keepAliveTimeoutMs'>

interface ConnectionState {
  timer: NodeJS.Timeout
  hasServed: boolean
  requests: number
  taken: number
  stalledChecks: number
}

/**
 * Closes idle connections. For Node every byte is activity, so a client could keep a connection open by empty lines.
 */
function closeIdle(app: FastifyInstance, { headersTimeoutMs, keepAliveTimeoutMs }: Waits) {
  const states = new Map<Socket, ConnectionState>()
  const watch = (socket: Socket, ms: number) => {
    const timer = setTimeout(() => {
      if (states.get(socket)?.requests) timer.refresh()
      else socket.destroy()
    }, ms).unref()
    return timer
  }

  app.server.on('connection', (socket: Socket) => {
    const timer = watch(socket, 2 * headersTimeoutMs)
    states.set(socket, { timer, hasServed: false, requests: 0, taken: 0, stalledChecks: 0 })
    socket.once('close', () => {
      clearTimeout(states.get(socket)?.timer)
      states.delete(socket)
    })
  })
  // This listener must run before Fastify's, which then finds the connection closed when there are too many requests.
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const state = states.get(socket)
    if (!state) return
    state.requests += 1
    if (state.requests > maxOutstanding) socket.destroy()
    response.on('close', () => {
      state.requests -= 1
      if (socket.destroyed) return
      if (state.hasServed) state.timer.refresh()
      else {
        clearTimeout(state.timer)
        state.timer = watch(socket, keepAliveTimeoutMs + 2 * headersTimeoutMs)
        state.hasServed = true
      }
    })
  })
  // One read from the socket can contain two thousand requests. Node emits them all, even after the socket is closed.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket.destroyed) reply.hijack()
    else done()
  })
  return states
}

interface WriteCounts {
  readonly bytesWritten: number
  readonly writeQueueSize: number
}

/** `socket.bytesWritten` also counts bytes that still wait in the process. */
function takenBytes(socket: Socket) {
  const { _handle: handle } = socket as Socket & { _handle?: WriteCounts | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

/**
 * Closes connections whose clients do not read. The connection of a quiet event stream stays open, because no bytes
 * wait for its client.
 */
function closeStalled(
  app: FastifyInstance,
  states: ReadonlyMap<Socket, ConnectionState>,
  stallTimeoutMs: number,
) {
  const check = setInterval(() => {
    for (const [socket, state] of states) {
      const taken = takenBytes(socket)
      const isStalled = socket.writableLength > 0 && taken === state.taken
      state.taken = taken
      state.stalledChecks = isStalled ? state.stalledChecks + 1 : 0
      if (state.stalledChecks >= stalledChecks) socket.destroy()
    }
  }, stallTimeoutMs / stalledChecks).unref()
  app.addHook('onClose', async () => clearInterval(check))
}

export function registerConnectionLimits(
  app: FastifyInstance,
  {
    maxConnections,
    metrics,
    stallTimeoutMs = defaultStallTimeoutMs,
    ...waits
  }: { maxConnections: number; metrics: Metrics; stallTimeoutMs?: number } & Waits,
): void {
  closeStalled(app, closeIdle(app, waits), stallTimeoutMs)
  app.server.maxConnections = maxConnections
  const dropped = metrics.counter(
    'amtiati_connections_dropped_total',
    'Connections closed because too many were open.',
    [],
  )
  app.server.on('drop', () => dropped.inc())
}
