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

/**
 * Closes a connection without a request for too long. Node's own check counts every byte as activity: empty lines after a
 * response, which begin no request, would keep a connection open forever.
 */
function closeIdle(app: FastifyInstance, { headersTimeoutMs, keepAliveTimeoutMs }: Waits): void {
  const states = new WeakMap<Socket, { timer: NodeJS.Timeout; hasServed: boolean; requests: number }>()
  const watch = (socket: Socket, ms: number) => {
    const timer = setTimeout(() => {
      if (states.get(socket)?.requests) timer.refresh()
      else socket.destroy()
    }, ms).unref()
    return timer
  }

  app.server.on('connection', (socket: Socket) => {
    // Later than Node's own check, which answers 408 first.
    const state = { timer: watch(socket, 2 * headersTimeoutMs), hasServed: false, requests: 0 }
    states.set(socket, state)
    socket.once('close', () => clearTimeout(state.timer))
  })
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const state = states.get(socket)
    if (!state) return
    state.requests += 1
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
}

/** Limits all connections together. A limit per address belongs to the proxy, from which all connections come. */
export function registerConnectionLimits(
  app: FastifyInstance,
  { maxConnections, metrics, ...waits }: { maxConnections: number; metrics: Metrics } & Waits,
): void {
  closeIdle(app, waits)
  app.server.maxConnections = maxConnections
  const dropped = metrics.counter(
    'amtiati_connections_dropped_total',
    'Connections closed because too many were open.',
    [],
  )
  app.server.on('drop', () => dropped.inc())
}
