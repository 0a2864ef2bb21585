import type { FastifyInstance } from 'fastify'
import type { Metrics } from '#server/platform/metrics.ts'

export interface ConnectionLimits {
  /** From the connection, or the request before, to the end of the headers. */
  readonly headersTimeoutMs: number
  /** From the first byte to the last of the body. */
  readonly requestTimeoutMs: number
  /** How long an idle connection is kept for the next request. */
  readonly keepAliveTimeoutMs: number
  /** Open at once; more are closed as they come. */
  readonly maxConnections: number
}

/** A connection that has served this many is closed, so that no proxy keeps one gateway for ever. */
const maxRequestsPerSocket = 10_000
const maxHeaderBytes = 16 * 1024

/** For the constructor of Fastify. */
export function serverOptions({ headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs }: ConnectionLimits) {
  return {
    // Fastify sets this one on the server itself, over whatever `http` says: 0 unless told, which cuts no slow body.
    requestTimeout: requestTimeoutMs,
    http: {
      // Node takes the greater of the two for the request, so this one must be told, too.
      headersTimeout: headersTimeoutMs,
      // Node looks for overdue connections only this often.
      connectionsCheckingInterval: Math.max(50, Math.min(2_000, headersTimeoutMs / 4)),
      maxHeaderSize: maxHeaderBytes,
    },
    keepAliveTimeout: keepAliveTimeoutMs,
    maxRequestsPerSocket,
  }
}

/** Connections per address are the proxy's to limit: behind one, all of ours come from it. */
export function registerConnectionLimits(
  app: FastifyInstance,
  { maxConnections, metrics }: { maxConnections: number; metrics: Metrics },
): void {
  app.server.maxConnections = maxConnections
  const dropped = metrics.counter(
    'connections_dropped_total',
    'Connections closed because too many were open.',
    [],
  )
  app.server.on('drop', () => dropped.inc())
}
