import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OperationShape } from '#shared/platform/operation.ts'
import { type Call, registerOperation } from './register-operation.ts'
import { writerOf } from './schema-compilers.ts'
import { hashOf } from './secrets.ts'
import type { Principal, SessionScope, Staff } from './session-scope.ts'
import {
  type StreamReader,
  type StreamSource,
  type Streams,
  streamsPerSession,
  streamsPerVisitor,
} from './streams.ts'

export type OpenStream<O extends StreamShape> = (
  call: Call<O>,
) => Promise<StreamSource & { readonly visitor?: string }>

export type StreamShape = OperationShape & Required<Pick<OperationShape, 'stream'>>

const reconnectMs = 3_000

/** Event streams without a session are counted by `visitor`. */
export function registerStream<const O extends StreamShape>(
  app: FastifyInstance,
  scope: SessionScope,
  streams: Pick<Streams, 'open'>,
  operation: O,
  open: OpenStream<O>,
): void {
  const { event, data } = operation.stream
  const write = writerOf(data)

  registerOperation(app, scope, operation, async (call) => {
    const { request, reply } = call
    const { visitor, ...source } = await open(call)
    const { raw } = reply
    const reader: StreamReader = {
      ...(visitor === undefined
        ? { key: hashOf(tokenOf(scope, operation, request) ?? ''), most: streamsPerSession }
        : { key: visitor, most: streamsPerVisitor }),
      previous: headerOf(request, 'last-event-id'),
      replaces: (request.query as { replace?: string }).replace === '1',
      isAdmitted: async () =>
        call.principal === undefined || isSame(call.principal, await principalNow(scope, operation, request)),
      send(sent) {
        if (raw.destroyed) return
        if (sent === undefined) return void raw.write(':\n\n')
        const { id, name, body } = sent
        const text = name === undefined ? write(body) : JSON.stringify(body)
        raw.write(`event: ${name ?? event}\nid: ${id}\ndata: ${text}\n\n`)
      },
      end: () => void raw.end(),
    }
    const close = await streams.open(source, reader, () => begin(reply))
    if (raw.destroyed) close()
    else raw.once('close', close)
    return reply
  })
}

function begin(reply: FastifyReply) {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Without the header `x-accel-buffering` nginx sends the response only when it is complete.
    'x-accel-buffering': 'no',
  })
  reply.raw.write(`retry: ${reconnectMs}\n\n`)
}

const isSame = (one: Principal | Staff, other: Principal | Staff | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)

const principalNow = (scope: SessionScope, { access }: OperationShape, request: FastifyRequest) =>
  access === 'staff' ? scope.desk?.staffOf(request, { quietly: true }) : scope.principalOf(request)

const tokenOf = (scope: SessionScope, { access }: OperationShape, request: FastifyRequest) =>
  access === 'staff' ? scope.desk?.tokenOf(request) : scope.tokenOf(request)

function headerOf(request: FastifyRequest, name: string) {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
