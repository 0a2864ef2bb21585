import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyRequest, type InjectOptions } from 'fastify'
import pino from 'pino'
import { Value } from 'typebox/value'
import { onTestFinished } from 'vitest'
import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { registerCompression } from '#server/platform/plugins/compression.ts'
import { registerErrorGate } from '#server/platform/plugins/error-gate.ts'
import { registerJsonBodies } from '#server/platform/plugins/json-bodies.ts'
import { registerSameOrigin } from '#server/platform/plugins/same-origin.ts'
import { routesOn } from '#server/platform/routes.ts'
import { registerSchemaCompilers } from '#server/platform/schema-compilers.ts'
import type { Principal, SessionScope } from '#server/platform/session-scope.ts'
import { receiveMessageStatus } from '#shared/messages/messages.api.ts'
import { receiveCallback } from '#shared/payments/payments.api.ts'
import { Problem } from '#shared/platform/problem.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { receiveScans } from '#shared/tracking/tracking.api.ts'
import { expectListedCode } from './listed-codes.ts'

/** The public URL of the gateway under test. */
export const publicUrl = 'http://localhost:3000'

export const silentLog = pino({ level: 'silent' })

/** A gateway with only the routes that `register` adds, behind the checks that every route has. */
export async function openFeatureApp(
  register: (app: FastifyInstance) => void | Promise<void>,
): Promise<FastifyInstance> {
  const app = Fastify({ loggerInstance: silentLog }) as unknown as FastifyInstance
  registerSchemaCompilers(app)
  registerJsonBodies(app)
  registerErrorGate(app)
  await app.register(cookie)
  await registerCompression(app)
  registerSameOrigin(app, {
    publicUrl,
    exempt: [receiveCallback.path, receiveScans.path, receiveMessageStatus.path, '/api/below/'],
  })
  await register(app)
  onTestFinished(() => app.close())
  return app
}

function callerOf({ headers }: FastifyRequest): Principal | undefined {
  const principal = headers['x-caller']
  return typeof principal === 'string' ? JSON.parse(principal) : undefined
}

/**
 * A scope that reads the session from the header `x-caller`: `{"role":"user","userId":1}`, and its token from `x-session`.
 */
export const headerScope: SessionScope = {
  principalOf: async (request) => callerOf(request),
  async principalWith(request, read) {
    const principal = callerOf(request)
    return principal && { principal, found: await read() }
  },
  refusal: (reason) => failure(sessionsErrors, reason === 'not-signed-in' ? 'NOT_SIGNED_IN' : 'WRONG_ROLE'),
  tokenOf: ({ headers }) => String(headers['x-session']),
  clearCookies: (reply) => void reply.header('x-cookies', 'cleared'),
}

/** The routes of an app whose sessions stand in headers. */
export const routesFor = (core: Core, app: FastifyInstance) => routesOn(app, headerScope, core.streams)

export interface BrowserAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The parsed body; undefined where it was not JSON. */
  readonly json: Record<string, unknown>
  readonly bytes: Buffer
  /** Every `Set-Cookie` line. */
  readonly setCookies: readonly string[]
}

export interface TestBrowser {
  readonly cookies: Map<string, string>
  get(path: string, headers?: InjectOptions['headers']): Promise<BrowserAnswer>
  head(path: string): Promise<BrowserAnswer>
  post(path: string, body?: object | string, headers?: InjectOptions['headers']): Promise<BrowserAnswer>
  patch(path: string, body: object, headers?: InjectOptions['headers']): Promise<BrowserAnswer>
  delete(path: string, body?: object, headers?: InjectOptions['headers']): Promise<BrowserAnswer>
}

/** A browser: keeps its cookies and sends the headers of our own pages. */
export function openBrowser(app: FastifyInstance, first: Readonly<Record<string, string>> = {}): TestBrowser {
  const cookies = new Map(Object.entries(first))

  async function send(request: InjectOptions): Promise<BrowserAnswer> {
    const response = await app.inject({
      ...request,
      cookies: Object.fromEntries(cookies),
      headers: { 'sec-fetch-site': 'same-origin', ...request.headers },
    })
    for (const { name, value, maxAge, expires } of response.cookies) {
      const isOver = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now())
      if (isOver) cookies.delete(name)
      else cookies.set(name, value)
    }
    const { 'content-type': type, 'content-encoding': encoding } = response.headers
    const isJson = String(type).includes('json') && encoding === undefined
    const json = isJson ? response.json() : {}
    expectListedCode(String(request.method), String(request.url), json)
    return {
      status: response.statusCode,
      headers: response.headers,
      json,
      bytes: response.rawPayload,
      setCookies: [response.headers['set-cookie'] ?? []].flat(),
    }
  }

  return {
    cookies,
    get: (url, headers) => send({ method: 'GET', url, ...(headers ? { headers } : {}) }),
    head: (url) => send({ method: 'HEAD', url }),
    patch: (url, payload, headers) =>
      send({ method: 'PATCH', url, payload, ...(headers ? { headers } : {}) }),
    delete: (url, body, headers) =>
      send({
        method: 'DELETE',
        url,
        ...(body === undefined ? {} : { payload: body }),
        ...(headers ? { headers } : {}),
      }),
    post: (url, body, headers) =>
      send({
        method: 'POST',
        url,
        ...(body === undefined ? {} : { payload: body }),
        headers: { ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}), ...headers },
      }),
  }
}

/** The problem of a refusal. @throws when the answer is a success or a failure of another shape. */
export function problemOf({ status, json }: BrowserAnswer): Problem & { status: number } {
  if (status < 400 || !Value.Check(Problem, json))
    throw new Error(`expected a problem, was answered ${status}: ${JSON.stringify(json)}`)
  return { ...json, status }
}

/** The names of the refused fields, in their order. */
export function refusedFieldsOf(answer: BrowserAnswer): string[] {
  return (problemOf(answer).fields ?? []).map(({ field }) => field)
}
