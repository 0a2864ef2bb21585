import { Unreachable } from './unreachable.ts'

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export interface Answer {
  readonly status: number
  /** The parsed body, or `undefined` where it was not JSON. */
  readonly body: unknown
}

/** Nothing can have been done where the connection was never made. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
])

function wasNeverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof AggregateError)
    return cause.errors.every((inner) => neverConnected.has(String(inner?.code)))
  return neverConnected.has(String((cause as { code?: unknown } | undefined)?.code))
}

/**
 * One request to an outsider, never repeated here: whether a repetition is safe is known only to the caller.
 * @throws Unreachable after `timeoutMs` or when the connection fails; any HTTP status is an answer.
 */
export async function exchange(request: Exchange): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json', ...request.headers }
  let body: string | undefined
  if (request.json !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(request.json)
  } else if (request.form) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    body = new URLSearchParams(request.form).toString()
  }
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(request.timeoutMs),
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { status: response.status, body: parseJson(text) }
  } catch (error) {
    throw new Unreachable(
      `${request.method} ${new URL(request.url).pathname}`,
      !wasNeverConnected(error),
      error,
    )
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
