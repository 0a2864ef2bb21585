import type { BodyOf, OperationShape, ParamsOf, QueryOf, ResponseOf } from '#shared/platform/operation.ts'
import type { Problem } from '#shared/platform/problem.ts'
import { whileWaiting } from './connection.ts'
import { i18n } from './i18n.ts'
import { type OperationValues, operationHref } from './operation-href.ts'

/** A call that hangs must end while the person still remembers making it; the slowest honest answer is 10 s. */
const timeoutMs = 30_000

type Given<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : undefined extends T
    ? { [K in Name]?: T }
    : Record<string, never> extends T
      ? { [K in Name]?: T }
      : { [K in Name]: T }

export type CallInput<O extends OperationShape> = Given<'params', ParamsOf<O>> &
  Given<'query', QueryOf<O>> &
  Given<'body', BodyOf<O>> & {
    headers?: Readonly<Record<string, string>>
    signal?: AbortSignal | undefined
  }

type InputArguments<O extends OperationShape> =
  Record<string, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>]

export interface CallProblemDetails {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly fields?: ReadonlyArray<{ field: string; message: string }> | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

/**
 * A call that did not succeed. `message` is fit to be shown: the server's own sentence in the user's language.
 * Without an answer `code` is `UNREACHABLE` and `status` 0; an answer that is not ours has code `UNEXPECTED`.
 */
export class CallProblem extends Error {
  readonly code: string
  readonly status: number
  readonly fields: ReadonlyArray<{ field: string; message: string }>
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(details: CallProblemDetails, options?: ErrorOptions) {
    super(details.message, options)
    this.name = 'CallProblem'
    this.code = details.code
    this.status = details.status
    this.fields = details.fields ?? []
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export function isCallProblem(error: unknown): error is CallProblem {
  return error instanceof CallProblem
}

type UnauthorizedListener = () => void
const unauthorizedListeners = new Set<UnauthorizedListener>()

/** Calls `listener` whenever the server answers 401, so that a session that ended is noticed. Returns the undoing. */
export function onUnauthorized(listener: UnauthorizedListener): () => void {
  unauthorizedListeners.add(listener)
  return () => {
    unauthorizedListeners.delete(listener)
  }
}

/**
 * Calls the gateway as a shared operation describes it, with the session cookie.
 * Throws `CallProblem`; an abort by `input.signal` throws the signal's own reason.
 */
export async function call<const O extends OperationShape>(
  operation: O,
  ...[input]: InputArguments<O>
): Promise<ResponseOf<O>> {
  const given: LooseInput = input ?? {}
  const answer = await send(operation, given)
  const payload = await readJson(answer)
  if (answer.ok && payload !== undefined) return payload as ResponseOf<O>
  if (answer.status === 401) for (const listener of unauthorizedListeners) listener()
  throw problemOf(answer, payload)
}

interface LooseInput {
  readonly params?: OperationValues | undefined
  readonly query?: OperationValues | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

async function send(operation: OperationShape, input: LooseInput): Promise<Response> {
  // One controller instead of AbortSignal.any, which phones from before 2024 lack.
  const controller = new AbortController()
  const onAbort = () => controller.abort(input.signal?.reason)
  if (input.signal?.aborted) onAbort()
  input.signal?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const sent = fetch(operationHref(operation, input.params, input.query), {
      method: operation.method,
      credentials: 'include',
      headers: {
        accept: 'application/json',
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...input.headers,
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      signal: controller.signal,
    })
    return await whileWaiting(sent)
  } catch (error) {
    if (input.signal?.aborted) throw input.signal.reason
    throw new CallProblem(
      { code: 'UNREACHABLE', status: 0, message: i18n.t('unreachable', { ns: 'platform' }) },
      { cause: error },
    )
  } finally {
    clearTimeout(timer)
    input.signal?.removeEventListener('abort', onAbort)
  }
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json()
  } catch {
    // A proxy's HTML page or a torn answer: the caller gets a sentence of ours instead.
    return undefined
  }
}

function problemOf(answer: Response, payload: unknown): CallProblem {
  if (!isProblem(payload)) {
    return new CallProblem({
      code: 'UNEXPECTED',
      status: answer.status,
      message: i18n.t('unexpected', { ns: 'platform' }),
    })
  }
  return new CallProblem({
    code: payload.code,
    status: answer.status,
    message: payload.message,
    fields: payload.fields,
    requestId: payload.requestId,
    retryAfterSeconds: payload.retryAfterSeconds,
  })
}

function isProblem(payload: unknown): payload is Problem {
  return isRecord(payload) && typeof payload.code === 'string' && typeof payload.message === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
