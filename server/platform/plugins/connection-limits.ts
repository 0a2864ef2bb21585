import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '#server/platform/metrics.ts'

export interface ConnectionLimits {
  /** From the connection, or the previous request, to the end of the headers. */
  readonly headersTimeoutMs: number
  /** From the first byte to the last of the body. */
  readonly requestTimeoutMs: number
  /** How long an idle connection stays open for the next request. */
  readonly keepAliveTimeoutMs: number
  /** Open at once; further ones are closed on arrival. */
  readonly maxConnections: number
}

/** Requests that one connection may have unanswered. Browsers and proxies send one at a time. */
const maxOutstanding = 16
/** How long a client may take none of the bytes that wait for it. */
const defaultStallTimeoutMs = 10_000
/** Checks in that time. */
const stalledChecks = 10

/** Then the connection is closed, so that a proxy does not stay with one gateway forever. */
const maxRequestsPerSocket = 10_000
const maxHeaderBytes = 16 * 1024

/** Options for the constructor of Fastify. */
export function serverOptions({ headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs }: ConnectionLimits) {
  return {
    // Fastify sets it on the server over the value in `http`; its default 0 limits nothing.
    requestTimeout: requestTimeoutMs,
    http: {
      // Node uses the greater of the two timeouts for the request, so both are set.
      headersTimeout: headersTimeoutMs,
      // How often Node checks for overdue connections.
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
  /** Not yet answered. */
  requests: number
  /** Bytes that the client had taken at the last check, and the number of checks since they last grew. */
  taken: number
  stalledChecks: number
}

/**
 * Closes a connection without a request for too long. Node's own check counts every byte as activity: empty lines after a
 * response, which begin no request, would keep a connection open forever.
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
    // Later than Node's own check, which answers 408 first.
    const timer = watch(socket, 2 * headersTimeoutMs)
    states.set(socket, { timer, hasServed: false, requests: 0, taken: 0, stalledChecks: 0 })
    socket.once('close', () => {
      clearTimeout(states.get(socket)?.timer)
      states.delete(socket)
    })
  })
  // Before the handler of Fastify: a request beyond the limit reaches it on a closed connection.
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const state = states.get(socket)
    if (!state) return
    state.requests += 1
    if (state.requests > maxOutstanding) socket.destroy()
    response.on('close', () => {
      state.requests -= 1
      if (socket.destroyed) return
      // The timer is reused: a new one per request would cost time.
      if (state.hasServed) state.timer.refresh()
      else {
        clearTimeout(state.timer)
        state.timer = watch(socket, keepAliveTimeoutMs + 2 * headersTimeoutMs)
        state.hasServed = true
      }
    })
  })
  // One read holds up to two thousand requests, and Node goes on emitting them after the connection is closed.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket.destroyed) reply.hijack()
    else done()
  })
  return states
}

/** The part of Node's handle of a socket that counts the bytes the system has taken. Node has no types for it. */
interface WriteCounts {
  readonly bytesWritten: number
  readonly writeQueueSize: number
}

/** Bytes that the system has taken for the client. `socket.bytesWritten` counts those that wait as well. */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: WriteCounts | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

/** Closes a connection whose client takes nothing. An idle connection and a quiet stream have nothing to take. */
function closeStalled(
  app: FastifyInstance,
  states: ReadonlyMap<Socket, ConnectionState>,
  stallTimeoutMs: number,
): void {
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

/** Limits all connections together. A limit per address belongs to the proxy, from which all connections come. */
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
