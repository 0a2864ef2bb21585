import { OutcomeUnknownError, UnreachableError } from './unreachable.ts'

export interface HttpRequest {
  /** A fixed word that names the request in metrics and traces. It must not contain ids or names. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** A longer response body is not read to its end, and counts as not JSON. */
  readonly mostBytes?: number
}

const defaultMostBytes = 16 * 1024 * 1024

export interface HttpResponse {
  readonly status: number
  readonly body: unknown
  readonly retryAfter?: string
}

const connectErrors = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
])

function failedToConnect(error: unknown) {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof AggregateError)
    return cause.errors.every((inner) => connectErrors.has(String(inner?.code)))
  return connectErrors.has(String((cause as { code?: unknown } | undefined)?.code))
}

/**
 * Sends the HTTP request once: only the caller knows whether a repeat is safe. After an OutcomeUnknownError the request
 * can have had an effect.
 */
export async function sendRequest(request: HttpRequest): Promise<HttpResponse> {
  const headers: Record<string, string> = { accept: 'application/json', ...request.headers }
  let body: string | Uint8Array<ArrayBuffer> | undefined = request.bytes
  if (request.json !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(request.json)
  } else if (request.form) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    body = new URLSearchParams(request.form).toString()
  }
  const timeout = AbortSignal.timeout(request.timeoutMs)
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers,
      redirect: 'error',
      signal: request.signal ? AbortSignal.any([timeout, request.signal]) : timeout,
      ...(body === undefined ? {} : { body }),
    })
    const text = await textOf(response, request.mostBytes ?? defaultMostBytes)
    const retryAfter = response.headers.get('retry-after')
    return {
      status: response.status,
      body: text === undefined ? undefined : parseJson(text),
      ...(retryAfter === null ? {} : { retryAfter }),
    }
  } catch (error) {
    const message = `${request.method} ${new URL(request.url).pathname}`
    if (failedToConnect(error)) throw new UnreachableError(message, { cause: error })
    throw new OutcomeUnknownError(message, { cause: error })
  }
}

async function textOf(response: Response, mostBytes: number) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Leaving the loop cancels the response stream.
    if (bytes > mostBytes) return undefined
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
