import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { BodyOf, OperationShape, ParamsOf, QueryOf, ResponseOf } from '#shared/platform/operation.ts'
import { Problem } from '#shared/platform/problem.ts'
import { tagAnswer } from './encoded-body.ts'
import { languageOf } from './language.ts'
import { compressed } from './plugins/compression.ts'
import type { SheddingConfig } from './plugins/load-shedding.ts'
import { notePrincipal, type RequestLogConfig } from './plugins/request-log.ts'
import { workOf } from './plugins/request-trace.ts'
import type { Principal, SessionScope, Staff } from './session-scope.ts'
import { type StaffRequest, staffRequestOf } from './staff-request.ts'
import { during } from './work.ts'

type PrincipalOf<O extends OperationShape> = O['access'] extends 'user'
  ? Extract<Principal, { role: 'user' }>
  : O['access'] extends 'agent'
    ? Extract<Principal, { role: 'agent' }>
    : O['access'] extends 'signed-in'
      ? Principal
      : O['access'] extends 'staff'
        ? Staff
        : undefined

export interface Call<O extends OperationShape> {
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly principal: PrincipalOf<O>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly language: LanguageCode
  readonly key: string | undefined
  readonly form: StaffRequest
  readonly found: unknown
}

export type Asked<O extends OperationShape> = Pick<Call<O>, 'params' | 'query'>

export type Run<O extends OperationShape> = (call: Call<O>) => Promise<ResultOf<ResponseOf<O>> | FastifyReply>

export interface RouteOptions<O extends OperationShape = OperationShape> {
  readonly compresses?: boolean
  /**
   * Reads data in the same round trip as the session check, so it does not know the caller. `run` must check that the
   * caller is allowed to see the result.
   */
  readonly reads?: ((asked: Asked<O>) => Promise<unknown>) | undefined
}

type ResultOf<R> = R extends { success: true } ? Omit<R, 'success'> : R

/** The longest request bodies, in bytes. The longest is the callback of a payment provider. */
const bodyLimits: Readonly<Record<OperationShape['access'], number>> = {
  anyone: 8 * 1024,
  user: 16 * 1024,
  agent: 16 * 1024,
  'signed-in': 16 * 1024,
  staff: 16 * 1024,
  browser: 16 * 1024,
  provider: 64 * 1024,
  tester: 8 * 1024,
}

export const registeredOperations = new WeakMap<FastifyInstance['server'], OperationShape[]>()

export function registerOperation<const O extends OperationShape>(
  app: FastifyInstance,
  scope: SessionScope,
  operation: O,
  run: Run<O>,
  {
    compresses = operation.method === 'GET' && operation.contentType === undefined,
    reads,
  }: RouteOptions<O> = {},
): void {
  if (operation.access === 'staff' && scope.desk === undefined) return
  const known = registeredOperations.get(app.server) ?? []
  registeredOperations.set(app.server, [...known, operation])
  const shape: OperationShape = operation
  /** Callers of requests with long bodies, who are checked before the body is read. */
  const admitted = new WeakMap<object, Principal | Staff>()
  const asksFirst = shape.bodyBytes !== undefined && !sessionless.has(shape.access)
  const principalFor = async (request: FastifyRequest) =>
    sessionless.has(shape.access)
      ? undefined
      : (admitted.get(request) ?? (await admit(scope, shape, request)))
  app.route({
    method: shape.method,
    url: shape.path,
    ...(asksFirst && {
      // The type `object` keeps this hook from deciding which route type Fastify infers.
      onRequest: async (request: object) =>
        void admitted.set(request, await admit(scope, shape, request as FastifyRequest)),
    }),
    bodyLimit: shape.bodyBytes ?? bodyLimits[shape.access],
    ...(shape.etag === 'weak' && {
      onSend: (request: object, reply: object, payload: unknown) =>
        tagAnswer(request as FastifyRequest, reply as FastifyReply, payload),
    }),
    // An event stream has no HEAD route, which Fastify would add: a HEAD request for it would never end.
    ...(shape.stream && { exposeHeadRoute: false }),
    config: {
      refusedLast: shape.refusedLast === true,
      isRoutine: shape.isRoutine === true,
      isStream: shape.stream !== undefined,
      needsDatabase: shape.access !== 'anyone' || shape.method !== 'GET',
    } satisfies SheddingConfig & RequestLogConfig,
    // A PDF is already compressed. If `compress` were absent, the plugin would add its hook.
    compress: compresses ? compressed : false,
    schema: schemaOf(shape),
    handler: async (request, reply) => {
      const answer = async () => {
        const params = request.params as ParamsOf<O>
        const query = request.query as QueryOf<O>
        const { principal, found } = reads
          ? await admitWith(scope, shape, request, () => reads({ params, query }))
          : { principal: await principalFor(request), found: undefined }
        return run({
          params,
          query,
          found,
          body: request.body as BodyOf<O>,
          principal: principal as PrincipalOf<O>,
          request,
          reply,
          get language() {
            return languageOf(request)
          },
          get key() {
            const key = request.headers['idempotency-key']
            return typeof key === 'string' ? key : undefined
          },
          get form() {
            return staffRequestOf(shape, request, request.body)
          },
        })
      }
      if (shape.isRoutine) return answerOf(await answer())
      return answerOf(await during(workOf(request), answer))
    },
  })
}

function schemaOf({ params, query, headers, body, ...shape }: OperationShape) {
  const response: Record<string, TSchema | object> = { '4xx': Problem, '5xx': Problem }
  if (shape.mayWait) response[202] = shape.response
  response[shape.status ?? 200] = shape.contentType
    ? { content: { [shape.contentType]: { schema: shape.response } } }
    : shape.response
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    ...(body && shape.consumes === undefined && { body }),
    response,
  }
}

/** A reply that `run` returns is thenable: `await` waits until the reply is sent and gives undefined. */
const answerOf = (result: object | undefined) =>
  result === undefined ? undefined : { success: true, ...result }

const sessionless = new Set<OperationShape['access']>(['anyone', 'provider', 'browser', 'tester'])

async function admit(
  scope: SessionScope,
  operation: OperationShape,
  request: FastifyRequest,
): Promise<Principal | Staff> {
  if (operation.access === 'staff') return admitStaff(scope, operation, request)
  return expectAccess(scope, operation, request, await scope.principalOf(request))
}

async function admitWith<T>(
  scope: SessionScope,
  operation: OperationShape,
  request: FastifyRequest,
  read: () => Promise<T>,
) {
  const both = await scope.principalWith(request, read)
  return { principal: expectAccess(scope, operation, request, both?.principal), found: both?.found }
}

function expectAccess(
  scope: SessionScope,
  operation: OperationShape,
  request: FastifyRequest,
  principal: Principal | undefined,
): Principal {
  if (!principal) throw scope.refusal('not-signed-in')
  notePrincipal(request, principal)
  if (operation.access !== 'signed-in' && operation.access !== principal.role)
    throw scope.refusal('wrong-role')
  return principal
}

async function admitStaff(
  { desk }: SessionScope,
  { roles, isQuiet }: OperationShape,
  request: FastifyRequest,
): Promise<Staff> {
  if (desk === undefined) throw new Error('an operation of staff without a desk')
  const isAgain = isQuiet === 'again' && (request.query as { again?: string }).again !== undefined
  const staff = await desk.staffOf(request, { quietly: isQuiet === true || isAgain })
  if (!staff) throw desk.refusal('not-signed-in')
  notePrincipal(request, staff)
  if (roles !== undefined && !roles.some((role) => staff.roles.includes(role)))
    throw desk.refusal('wrong-role')
  return staff
}
