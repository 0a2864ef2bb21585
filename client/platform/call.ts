import type { OperationOf } from '#shared/operations.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#shared/platform/operation.ts'
import type { PaidOrder, Problem } from '#shared/platform/problem.ts'
import type { Stop } from '#shared/platform/stop.ts'
import { hasShape } from './answer-checks.ts'
import { whileWaiting } from './connection.ts'
import { withDeadline } from './deadline.ts'
import { fieldOf } from './field-of.ts'
import { takeFirstAnswer } from './first-answers.ts'
import { currentLanguage, textNow } from './i18n.ts'
import { type OperationValues, operationHref } from './operation-href.ts'
import { createStore } from './store.ts'
import { waits } from './waits.ts'

type Given<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : undefined extends T
    ? { [K in Name]?: T }
    : Record<string, never> extends T
      ? { [K in Name]?: T }
      : { [K in Name]: T }

export type CallInput<O extends Endpoint> = Given<'params', ParamsOf<OperationOf<O>>> &
  Given<'query', QueryOf<OperationOf<O>>> &
  Given<'body', BodyOf<OperationOf<O>>> & {
    headers?: Readonly<Record<string, string>>
    signal?: AbortSignal | undefined
    /** Asks the server, whatever the browser has stored. */
    isFresh?: boolean
  }

type InputArguments<O extends Endpoint> =
  Record<string, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>]

interface CallProblemDetails {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly fields?: ReadonlyArray<{ field: string; message: string }> | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly orders?: readonly PaidOrder[] | undefined
  readonly channels?: readonly SendChannel[] | undefined
  readonly stop?: Stop | undefined
}

/**
 * A failed call. `message` can be shown: the server's message in the language on screen. Without a response `code` is
 * `UNREACHABLE` and `status` 0; a response that is neither a problem of the gateway nor an answer of the right shape has code
 * `UNEXPECTED`.
 */
export class CallProblem extends Error {
  readonly code: string
  readonly status: number
  readonly fields: ReadonlyArray<{ field: string; message: string }>
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The paid orders that `ACCOUNT_HAS_PAID_ORDERS` names; otherwise empty. */
  readonly orders: readonly PaidOrder[]
  /** Other ways to get a code, where a code was refused. */
  readonly channels: readonly SendChannel[]
  /** The stop that `SALES_STOPPED` names. */
  readonly stop: Stop | undefined

  constructor(details: CallProblemDetails, options?: ErrorOptions) {
    super(details.message, options)
    this.name = 'CallProblem'
    this.code = details.code
    this.status = details.status
    this.fields = details.fields ?? []
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.orders = details.orders ?? []
    this.channels = details.channels ?? []
    this.stop = details.stop
  }
}

/** The text to show for a thrown value: the message of a failed call, a text, else a general sentence. */
export function problemText(error: unknown): string {
  if (typeof error === 'string' && error !== '') return error
  return isCallProblem(error) ? error.message : textNow('platform:unexpected')
}

export function isCallProblem(error: unknown): error is CallProblem {
  return error instanceof CallProblem
}

/** An answer with its ETag, where it came with one. */
export type Tagged<T> = T & { readonly etag?: string }

/** How many responses were 401. */
const unauthorized = createStore(0)

/** Calls a listener for every 401 response. @returns a function that removes the listener. */
export const onUnauthorized = unauthorized.subscribe

/**
 * Sends the request of a shared operation to the gateway, with cookies.
 * @throws CallProblem, or the reason of `input.signal` when it aborts.
 */
export async function call<const O extends Endpoint>(
  operation: O,
  ...args: InputArguments<O>
): Promise<ResponseOf<OperationOf<O>>> {
  const answer = answerOf(operation, await whileWaiting(send(operation, inputOf(args))))
  return answer as ResponseOf<OperationOf<O>>
}

/**
 * Calls an operation whose answers carry an ETag. Answers about a person are in no cache of the browser, so that the request
 * names the ETag itself.
 * @param known the last answer, which is returned where it is still the answer
 * @throws as `call`
 */
export async function callAgain<const O extends Endpoint, K extends Tagged<object>>(
  operation: O,
  known: K | undefined,
  ...args: InputArguments<O>
): Promise<K | Tagged<ResponseOf<OperationOf<O>>>> {
  const headers = known?.etag === undefined ? {} : { 'if-none-match': known.etag }
  const received = await whileWaiting(send(operation, { ...inputOf(args), headers }))
  if (received.response.status === 304 && known !== undefined) return known
  const answer = answerOf(operation, received)
  const etag = received.response.headers.get('etag')
  const tagged: unknown = etag === null ? answer : { ...(answer as object), etag }
  return tagged as Tagged<ResponseOf<OperationOf<O>>>
}

// With the type of the input the compiler would compare it for the operations of all endpoints.
const inputOf = ([input]: readonly unknown[]): LooseInput => input ?? {}

function answerOf(operation: Endpoint, { response, payload }: Received): unknown {
  if (response.ok && payload !== undefined && hasShape(operation, payload)) return payload
  if (response.status === 401) unauthorized.set(unauthorized.get() + 1)
  throw problemOf(response, payload)
}

/** Reads the file that an operation answers. @throws as `call` */
export async function callFile<const O extends Endpoint>(
  operation: O,
  ...args: InputArguments<O>
): Promise<FileAnswer> {
  const { response, payload } = await whileWaiting(send(operation, inputOf(args), readFile))
  if (response.status === 401) unauthorized.set(unauthorized.get() + 1)
  if (!response.ok || !(payload instanceof Blob)) throw problemOf(response, payload)
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { bytes: payload, name }
}

/** Asks whether the operation answers with its file, without reading the file. @throws as `call` */
export async function expectFile<const O extends Endpoint>(
  operation: O,
  ...args: InputArguments<O>
): Promise<void> {
  const { response, payload } = await whileWaiting(send(operation, inputOf(args), readProblem))
  if (response.ok) return
  if (response.status === 401) unauthorized.set(unauthorized.get() + 1)
  throw problemOf(response, payload)
}

interface FileAnswer {
  readonly bytes: Blob
  /** The file name from the server. */
  readonly name: string | undefined
}

interface LooseInput {
  readonly params?: OperationValues | undefined
  readonly query?: OperationValues | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly isFresh?: boolean
}

interface Received {
  readonly response: Response
  /** The parsed body, or a file; undefined when it is neither. */
  readonly payload: unknown
}

/** Time-out and abort apply until the body is complete. */
async function send(
  operation: Endpoint,
  input: LooseInput,
  read: (response: Response, signal: AbortSignal) => Promise<unknown> = readJson,
): Promise<Received> {
  try {
    return await withDeadline(read === readFile ? waits.file : waits.call, input.signal, async (signal) => {
      const href = operationHref(operation, input.params, input.query)
      const begun = operation.method === 'GET' ? takeFirstAnswer(href, signal) : undefined
      const response =
        (begun && (await begun)) ??
        (await fetch(href, {
          method: operation.method,
          credentials: 'include',
          headers: {
            accept: 'application/json',
            'accept-language': currentLanguage(),
            ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
            ...input.headers,
          },
          ...(input.body === undefined ? {} : { body: writtenBody(input.body) }),
          ...(input.isFresh === true ? { cache: 'no-cache' as const } : {}),
          signal,
        }))
      return { response, payload: await read(response, signal) }
    })
  } catch (error) {
    if (input.signal?.aborted) throw input.signal.reason
    throw new CallProblem(
      { code: 'UNREACHABLE', status: 0, message: textNow('platform:unreachable') },
      { cause: error },
    )
  }
}

/** Bytes are sent as they are, with the type that the caller names; anything else as JSON. */
const writtenBody = (body: unknown): BodyInit =>
  ArrayBuffer.isView(body) ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body)

async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (signal.aborted) throw error
    // A proxy's HTML page or a truncated body.
    return undefined
  }
}

const readProblem = (response: Response, signal: AbortSignal): Promise<unknown> =>
  response.ok ? (response.body?.cancel() ?? Promise.resolve()) : readJson(response, signal)

const readFile = (response: Response, signal: AbortSignal): Promise<unknown> =>
  response.ok ? response.blob() : readJson(response, signal)

function problemOf(response: Response, payload: unknown): CallProblem {
  if (!isProblem(payload)) {
    return new CallProblem({
      code: 'UNEXPECTED',
      status: response.status,
      message: textNow('platform:unexpected'),
    })
  }
  return new CallProblem({ ...payload, status: response.status })
}

function isProblem(payload: unknown): payload is Problem {
  return typeof fieldOf(payload, 'code') === 'string' && typeof fieldOf(payload, 'message') === 'string'
}
