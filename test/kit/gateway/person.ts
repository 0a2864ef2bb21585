import type { IncomingMessage } from 'node:http'
import request from 'supertest'
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import { checkout as checkoutOperation } from '#shared/checkout/checkout.operations.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { type OperationOf, operations } from '#shared/operations.ts'
import { listUserOrders, readOrder } from '#shared/orders/orders.operations.ts'
import type { Order, PaymentStart } from '#shared/orders/orders.schemas.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type {
  BodyOf,
  Endpoint,
  OperationShape,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '#shared/platform/operation.ts'
import { Problem } from '#shared/platform/problem.ts'
import { askConfirmation, verifyConfirmation } from '#shared/sessions/confirmations.operations.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import * as sessions from '#shared/sessions/sessions.operations.ts'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import { expectNoOverload } from '../basics/patience.ts'
import type { Stack } from '../programs/stack.ts'
import { type EventReader, eventsOf } from './event-stream.ts'
import type { InProcessStack } from './in-process.ts'
import { expectListedCode } from './listed-codes.ts'

/** What may accompany a call. A test that sends something wrong on purpose uses `send`. */
export interface CallInput<O extends OperationShape> {
  params?: ParamsOf<O>
  query?: QueryOf<O>
  body?: BodyOf<O>
  headers?: Readonly<Record<string, string>>
}

/** The same for any operation. */
interface AnyInput {
  readonly params?: object
  readonly query?: object
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed when it is JSON, else undefined. */
  readonly json: unknown
  readonly bytes: Uint8Array
}

export interface Refusal {
  readonly status: number
  readonly headers: Headers
  readonly problem: Static<typeof Problem>
}

/** What an operation answered, or the code of its refusal. */
export type Attempt<O extends OperationShape> =
  | { readonly answer: ResponseOf<O>; readonly code?: undefined }
  | { readonly answer?: undefined; readonly code: string }

export interface SentRequest {
  /** Sent as JSON. */
  readonly body?: unknown
  readonly rawBody?: string | Buffer
  /** In place of those of a page; one that is undefined is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

export interface Person {
  /** Name and value of every cookie held. */
  readonly cookies: ReadonlyMap<string, string>
  /** Sends any request as a page of the app does: with the cookies and same-origin. */
  send(method: string, path: string, request?: SentRequest): Promise<Answer>
  /** Opens an event stream, as a page that is shown. */
  follow(path: string): Promise<EventReader>
  /** The successful answer of an operation, checked against its schema. @throws with the problem of a refusal. */
  call<O extends Endpoint>(
    operation: O,
    input?: CallInput<OperationOf<O>>,
  ): Promise<ResponseOf<OperationOf<O>>>
  /** The successful answer of an operation, checked against its schema, or the code of a refusal. */
  attempt<O extends Endpoint>(
    operation: O,
    input?: CallInput<OperationOf<O>>,
  ): Promise<Attempt<OperationOf<O>>>
  /** The problem an operation answered with. Throws when it succeeded, or when the failure is not a `Problem`. */
  refusalOf<O extends Endpoint>(operation: O, input?: CallInput<OperationOf<O>>): Promise<Refusal>
  signUp(phone: string, name: string): Promise<User>
  signIn(phone: string): Promise<User>
  signInAgent(phone: string): Promise<Agent & { token: string }>
  /** Confirms one request with the code that was sent to the account's number. */
  confirm(purpose: ConfirmationPurpose): Promise<void>
  /** A request for an order of the first agent to the first branch. */
  offer(userId: number, change?: Partial<CheckoutRequest>): Promise<CheckoutRequest>
  /** A checkout of the first agent and the first branch of the partner, changed by `change`. */
  checkout(userId: number, change?: Partial<CheckoutRequest>): Promise<PaymentStart & CheckoutRequest>
  agents(): Promise<readonly PartnerAgent[]>
  centers(): Promise<readonly Center[]>
  order(id: number | string): Promise<Order>
  orders(userId: number): Promise<readonly Order[]>
}

/**
 * A client with its own cookies, in the language of `lang` (without that cookie Arabic). With `browserOf` it has the
 * cookies of that person, for another gateway.
 */
export function newPerson(
  stack: Pick<Stack, 'gatewayUrl' | 'logs'> & {
    readonly control: Pick<Stack['control'], 'codeFor'>
    /** The operations that the gateway has registered; all of them by default. */
    readonly operations?: readonly OperationShape[]
  } & Partial<Pick<InProcessStack, 'countHeaders'>>,
  {
    lang,
    gatewayUrl = stack.gatewayUrl,
    browserOf,
    transport = sendTo(gatewayUrl),
  }: {
    lang?: 'ar' | 'en'
    gatewayUrl?: string
    browserOf?: Person
    /** In place of a connection: the network of a simulated world. */
    transport?: Transport
  } = {},
): Person {
  const cookies = new Map<string, string>(browserOf?.cookies)
  if (lang !== undefined) cookies.set('lang', lang)

  const pageHeaders = (): Readonly<Record<string, string>> => ({
    host: new URL(gatewayUrl).host,
    'sec-fetch-site': 'same-origin',
    ...(cookies.size > 0 && {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    }),
    ...stack.countHeaders?.(),
  })

  const send: Person['send'] = async (method, path, { body, rawBody, headers } = {}) => {
    const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    const all = {
      ...pageHeaders(),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await transport(method, path, sent, given(all))
    const answered = headersOf(response.headers)
    for (const cookie of answered.getSetCookie()) keepCookie(cookies, cookie)
    const { bytes } = response
    const isJson = answered.get('content-type')?.includes('json') === true
    const text = isJson ? new TextDecoder().decode(bytes) : ''
    expectNoOverload(`${method} ${path}`, text)
    const json = isJson ? JSON.parse(text) : undefined
    expectListedCode(method, path, json, stack.operations)
    return { status: response.status, headers: answered, json, bytes }
  }

  // With the type of the input the compiler would compare it for all operations.
  const sendOperation = (operation: Endpoint, given: unknown) => {
    const input = (given ?? {}) as AnyInput
    return send(operation.method, pathOf(operation, input), {
      ...(input.body !== undefined && { body: input.body }),
      headers: {
        // Each call is a press of its own, unless it says which.
        ...(needsKey(operation) && { 'idempotency-key': crypto.randomUUID() }),
        ...input.headers,
      },
    })
  }

  /** The gateway's log lines about a failed request, for the message of the failing test. */
  const logsOf = (json: unknown) => {
    if (!Value.Check(Problem, json)) return ''
    return ['', ...stack.logs().filter((line) => line.includes(json.requestId))].join('\n  ')
  }

  const call: Person['call'] = async (operation, input) => {
    const { status, json } = await sendOperation(operation, input)
    const what = `${operation.method} ${operation.path}`
    if (!isSuccess(operation, status))
      throw new Error(`${what} answered ${status}: ${JSON.stringify(json)}${logsOf(json)}`)
    return answerOf(operation, json) as never
  }

  const attempt: Person['attempt'] = async (operation, input) => {
    const { status, json } = await sendOperation(operation, input)
    return isSuccess(operation, status)
      ? { answer: answerOf(operation, json) as never }
      : { code: problemOf(status, json).code }
  }

  const refusalOf: Person['refusalOf'] = async (operation, input) => {
    const { status, headers, json } = await sendOperation(operation, input)
    return { status, headers, problem: problemOf(status, json) }
  }

  const agents = async () => (await call(listAgents)).agents
  const centers = async () => (await call(listCenters)).centers
  const codeFor = (phone: string) => stack.control.codeFor(phone)

  async function offer(userId: number, change: Partial<CheckoutRequest> = {}): Promise<CheckoutRequest> {
    const [[agent], [center]] = await Promise.all([agents(), centers()])
    if (agent === undefined || center === undefined) throw new Error('the partner lists are empty')
    const places = { agentCode: agent.id, centerCode: center.code }
    return { userId, type: 'FROM_MINA', noOfPackages: 1, amount: 50, ...places, ...change }
  }

  return {
    cookies,
    send,
    follow: (path) => openEvents(gatewayUrl, path, pageHeaders()),
    call,
    attempt,
    refusalOf,
    async signUp(phone, name) {
      await call(sessions.requestOtp, { body: { phone, name } })
      const { user } = await call(sessions.verifyOtp, { body: { phone, code: await codeFor(phone), name } })
      return user
    },
    async signIn(phone) {
      await call(sessions.requestOtp, { body: { phone } })
      const { user } = await call(sessions.verifyOtp, { body: { phone, code: await codeFor(phone) } })
      return user
    },
    async signInAgent(phone) {
      await call(sessions.sendAgentOtp, { body: { phone } })
      const { agent, token } = await call(sessions.verifyAgentOtp, {
        body: { phone, code: await codeFor(phone) },
      })
      return { ...agent, token }
    },
    async confirm(purpose) {
      const own = await call(sessions.readUserSession)
      if (!own.success || own.phone === null) throw new Error('nobody is signed in')
      await call(askConfirmation, { body: { purpose } })
      await call(verifyConfirmation, { body: { code: await codeFor(own.phone) } })
    },
    offer,
    async checkout(userId, change = {}) {
      const body = await offer(userId, change)
      return { ...body, ...(await call(checkoutOperation, { body })) }
    },
    agents,
    centers,
    async order(id) {
      const { order } = await call(readOrder, { params: { id: String(id) } })
      return order
    },
    async orders(userId) {
      const { orders } = await call(listUserOrders, { params: { userId: String(userId) } })
      return orders
    },
  }
}

const validators = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator
}

const byRoute = new Map(
  Object.values<OperationShape>(operations).map((operation) => [
    `${operation.method} ${operation.path}`,
    operation,
  ]),
)

function operationOf(endpoint: Endpoint): OperationShape {
  const operation = byRoute.get(`${endpoint.method} ${endpoint.path}`)
  if (operation === undefined) throw new Error(`no operation ${endpoint.method} ${endpoint.path}`)
  return operation
}

/** @throws when the body is not what the operation promises. */
function answerOf(operation: Endpoint, json: unknown): unknown {
  const validator = validatorOf(operationOf(operation).response)
  if (!validator.Check(json)) {
    const [first] = validator.Errors(json)
    const what = `${operation.method} ${operation.path}`
    throw new Error(`${what} answered what it does not promise: ${JSON.stringify(first)}`)
  }
  return json
}

/** Sends one request. */
export type Transport = (
  method: string,
  path: string,
  body: string | Buffer | undefined,
  headers: Readonly<Record<string, string>>,
) => Promise<{
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly bytes: Uint8Array
}>

/** By a connection of its own. */
const sendTo =
  (url: string): Transport =>
  async (method, path, body, headers) => {
    const response = await request(url)
      [verbOf(method)](path)
      .set(headers)
      .buffer(true)
      .parse((answer: unknown, done: Parsed) => readBytes(answer as IncomingMessage, done))
      .send(body)
    return { status: response.status, headers: response.headers, bytes: response.body }
  }

/** By a connection that stays open. */
async function openEvents(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventReader> {
  const opened: (ReturnType<typeof eventsOf> & Pick<EventReader, 'leave'>)[] = []
  const response = await request(url)
    .get(path)
    .set(headers)
    .buffer(false)
    .parse((answer: unknown, done: Parsed) => {
      // The listeners are added here, because the body flows as soon as supertest has answered. It answers when the head
      // has come; for JSON, only when this parser is done.
      const stream = answer as IncomingMessage
      opened.push({ ...eventsOf(stream), leave: () => void stream.destroy() })
      done(null, new Uint8Array())
    })
  // The reader takes a broken connection as the end of the stream.
  response.on('error', () => undefined)
  const [reader] = opened
  if (reader === undefined) throw new Error(`${path} has no body`)
  return { status: response.status, headers: response.headers, ...reader }
}

/** `mayWait`: what waits for another person is accepted. */
const isSuccess = (endpoint: Endpoint, status: number): boolean =>
  status === 200 || (operationOf(endpoint).mayWait === true && status === 202)

/** A failure as a `Problem`. @throws when the answer has any other shape. */
export function problemOf(status: number, json: unknown): Static<typeof Problem> {
  if (status < 400 || !Value.Check(Problem, json))
    throw new Error(`expected a problem, was answered ${status}: ${JSON.stringify(json)}`)
  return json
}

function pathOf(operation: Endpoint, { params, query }: AnyInput): string {
  const values: Record<string, unknown> = { ...params }
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${operation.path} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams(Object.entries<string>({ ...query })).toString()
  return search === '' ? path : `${path}?${search}`
}

const needsKey = (endpoint: Endpoint): boolean =>
  (operationOf(endpoint).headers as { required?: string[] } | undefined)?.required?.includes(
    'idempotency-key',
  ) ?? false

/** Without those that are undefined. */
const given = (headers: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  )

function headersOf(lines: Readonly<Record<string, string | readonly string[]>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(lines))
    for (const line of [value].flat()) headers.append(name, line)
  return headers
}

/** The name of supertest's function for an HTTP method. */
function verbOf(method: string): 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options' {
  return method.toLowerCase() as ReturnType<typeof verbOf>
}

type Parsed = (error: Error | null, bytes: Uint8Array) => void

/** A parser for supertest that returns the bytes unchanged. An event stream has no end: what it begins with is all. */
function readBytes(answer: IncomingMessage, done: Parsed): void {
  const chunks: Buffer[] = []
  const finish = () => done(null, new Uint8Array(Buffer.concat(chunks)))
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (!isEventStream(answer)) return
    answer.destroy()
    finish()
  })
  answer.on('end', finish)
}

const isEventStream = ({ headers }: IncomingMessage) =>
  headers['content-type']?.startsWith('text/event-stream') === true

function keepCookie(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
  const name = pair.slice(0, pair.indexOf('='))
  const value = pair.slice(pair.indexOf('=') + 1)
  const isOver = attributes.some((attribute) => {
    const [key = '', content = ''] = attribute.split('=')
    if (key.toLowerCase() === 'max-age') return Number(content) <= 0
    return key.toLowerCase() === 'expires' && Date.parse(content) <= Date.now()
  })
  if (isOver || value === '') cookies.delete(name)
  else cookies.set(name, value)
}
