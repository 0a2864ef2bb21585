import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SpanContext } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { createNetworkCheck } from '#server/platform/address.ts'
import { isHarmless } from '#server/platform/logging.ts'
import { readTraceparent, type Work } from '#server/platform/work.ts'

const idPattern = /^[\w.:-]{16,64}$/

/** Uses the `x-request-id` of trusted proxies only: other callers could give many requests the same id. */
export function createRequestIds(proxies: readonly string[]) {
  const isProxy = createNetworkCheck(proxies)
  return ({ headers, socket }: Pick<IncomingMessage, 'headers'> & RemoteSide) => {
    const given = headers['x-request-id']
    const isUsable = typeof given === 'string' && idPattern.test(given) && isHarmless(given)
    return isUsable && isProxy(socket.remoteAddress ?? '') ? given : randomUUID()
  }
}

interface RemoteSide {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

const spans = new WeakMap<FastifyRequest, SpanContext>()

export const noteSpan = (request: FastifyRequest, span: SpanContext) => void spans.set(request, span)

export const workOf = (request: FastifyRequest): Work => ({
  id: request.id,
  span: spans.get(request) ?? readTraceparent(request.headers.traceparent),
})
