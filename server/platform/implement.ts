import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { BodyOf, OperationShape, ParamsOf, QueryOf, ResponseOf } from '#shared/platform/operation.ts'
import { Problem } from '#shared/platform/problem.ts'
import type { Caller, SessionScope } from './session-scope.ts'

type CallerOf<O extends OperationShape> = O['caller'] extends 'user'
  ? Extract<Caller, { role: 'user' }>
  : O['caller'] extends 'agent'
    ? Extract<Caller, { role: 'agent' }>
    : O['caller'] extends 'signed-in'
      ? Caller
      : undefined

export interface Call<O extends OperationShape> {
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly caller: CallerOf<O>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Bodies of this API are a few hundred bytes; a stranger gets the least room, the provider's envelope the most. */
const bodyLimits: Readonly<Record<OperationShape['caller'], number>> = {
  anyone: 8 * 1024,
  user: 16 * 1024,
  agent: 16 * 1024,
  'signed-in': 16 * 1024,
  browser: 16 * 1024,
  provider: 64 * 1024,
}

/** Routes made by `implement`, kept so that documents and laws can compare them with the contract. */
export const implementedRoutes = new WeakMap<FastifyInstance['server'], OperationShape[]>()

/**
 * Makes the route of a shared operation: its schemas check the request, its `caller` decides who may call, and its
 * response schema is the only door from a row to JSON. `run` answers the fields, or the reply it has sent itself.
 */
export function implement<const O extends OperationShape>(
  app: FastifyInstance,
  scope: SessionScope,
  operation: O,
  run: (call: Call<O>) => Promise<Omit<ResponseOf<O>, 'success'> | FastifyReply>,
): void {
  const known = implementedRoutes.get(app.server) ?? []
  implementedRoutes.set(app.server, [...known, operation])
  const shape: OperationShape = operation
  const sent: Record<string, TSchema | object> = { '4xx': Problem, '5xx': Problem }
  sent[shape.status ?? 200] = shape.contentType
    ? { content: { [shape.contentType]: { schema: shape.response } } }
    : shape.response
  app.route({
    method: shape.method,
    url: shape.path,
    bodyLimit: bodyLimits[shape.caller],
    schema: {
      summary: shape.summary,
      tags: [shape.room],
      ...(shape.params ? { params: shape.params } : {}),
      ...(shape.query ? { querystring: shape.query } : {}),
      ...(shape.headers ? { headers: shape.headers } : {}),
      ...(shape.body ? { body: shape.body } : {}),
      response: sent,
    },
    handler: async (request, reply) => {
      const caller = await admit(scope, shape, request)
      const result = await run({
        params: request.params as ParamsOf<O>,
        query: request.query as QueryOf<O>,
        body: request.body as BodyOf<O>,
        caller: caller as CallerOf<O>,
        request,
        reply,
      })
      // A reply is a promise of its own end: awaiting `run` has awaited it.
      return reply.sent ? reply : { success: true, ...result }
    },
  })
}

/** Callers that no session is asked for. */
const unasked = new Set<OperationShape['caller']>(['anyone', 'provider', 'browser'])

async function admit(
  scope: SessionScope,
  operation: OperationShape,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (unasked.has(operation.caller)) return undefined
  const caller = await scope.callerOf(request)
  if (!caller) throw scope.refusal('not-signed-in')
  if (operation.caller !== 'signed-in' && operation.caller !== caller.role) throw scope.refusal('wrong-role')
  return caller
}
