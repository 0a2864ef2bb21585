import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createNetworkCheck } from '#server/platform/address.ts'
import { isHarmless } from '#server/platform/logging.ts'
import { currentTracer, type Span } from '#server/platform/tracer.ts'
import { readTraceparent, type Work, writeTraceparent } from '#server/platform/work.ts'

/** Long enough to be unique, short enough for every log line, and no text that a reader could take for another. */
const idPattern = /^[\w.:-]{16,64}$/

/**
 * The `x-request-id` of a trusted proxy, where it is usable as one, or a new UUID: another caller could give many requests,
 * also of others, one id.
 * @param proxies addresses and networks
 */
export function createRequestIds(proxies: readonly string[]) {
  const isProxy = createNetworkCheck(proxies)
  return ({ headers, socket }: Pick<IncomingMessage, 'headers'> & RemoteSide): string => {
    const given = headers['x-request-id']
    const isUsable = typeof given === 'string' && idPattern.test(given) && isHarmless(given)
    return isUsable && isProxy(socket.remoteAddress ?? '') ? given : randomUUID()
  }
}

interface RemoteSide {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/** Of requests that a tracer measures; empty without one. */
const spans = new WeakMap<FastifyRequest, Span>()

/** What log lines and requests to external services carry on behalf of the request. */
export function workOf(request: FastifyRequest): Work {
  const span = currentTracer() && spans.get(request)
  const traceparent = span ? writeTraceparent(span.context) : request.headers.traceparent
  return { id: request.id, traceparent: typeof traceparent === 'string' ? traceparent : undefined }
}

/** The trace of a request that its caller or a tracer has given one. */
export function givenTraceIdOf(request: FastifyRequest): string | undefined {
  const span = currentTracer() && spans.get(request)
  return span ? span.context.traceId : readTraceparent(request.headers.traceparent)?.traceId
}

/** Measures every request; called only with a tracer. */
export function registerRequestTraces(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const route = request.routeOptions.url ?? 'none'
    const parent = readTraceparent(request.headers.traceparent)
    const span = currentTracer()?.start('server', `${request.method} ${route}`, parent)
    if (span) spans.set(request, span)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    spans.get(request)?.end(
      {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url ?? 'none',
        'http.response.status_code': statusCode,
        'amtiati.request_id': request.id,
      },
      statusCode >= 500 ? new Error(`status ${statusCode}`) : undefined,
    )
    done()
  })
}
