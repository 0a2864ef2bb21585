import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { BodyOf, OperationShape, ResponseOf } from '#shared/platform/operation.ts'
import { headerOf, headersOf, type Pool, type Reply } from './connection.ts'

/** An unexpected response. */
export class CallFailed extends Error {
  readonly status: number
  /** The `code` of the gateway's problem. */
  readonly code: string | undefined
  constructor(what: string, status: number, code: string | undefined) {
    super(`${what} answered ${status}${code === undefined ? '' : ` ${code}`}`)
    this.status = status
    this.code = code
  }
}

/** Called after every request with its operation, the time since it was due, and its failure. */
export type Observe = (operation: string, ms: number, failure: string | undefined) => void

export interface CallInput<O extends OperationShape> {
  params?: Readonly<Record<string, string | number>>
  query?: string
  body?: BodyOf<O>
  /** `performance.now()` at which the request is due; its time counts from then. */
  dueAt?: number
  /** Accepted statuses beside 200, or codes of problems. */
  alsoRight?: readonly (number | string)[]
}

/** A client with its own cookies that calls operations as the app does, without loading pages. */
export interface Browser {
  /** The parsed response. @throws CallFailed for an unexpected one, or the error of the connection. */
  call<O extends OperationShape>(operation: O, input?: CallInput<O>): Promise<ResponseOf<O>>
  /** The same without parsing: only the status. */
  load<O extends OperationShape>(operation: O, input?: CallInput<O>): Promise<number>
}

let browsers = 0

/** @param gateways used in turn; each browser begins with another one. */
export function openBrowser(gateways: readonly Pool[], observe: Observe = () => undefined): Browser {
  const cookies = new Map<string, string>()
  let turn = browsers++

  async function send<O extends OperationShape>(
    operation: O,
    { params = {}, query, body, dueAt = performance.now(), alsoRight = [] }: CallInput<O>,
  ): Promise<Reply> {
    const gateway = gateways[turn++ % gateways.length] as Pool
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(params[name])),
    )
    const label = `${operation.method} ${operation.path}`
    const reply = await gateway
      .request({
        method: operation.method,
        path: query === undefined ? path : `${path}?${query}`,
        headers: {
          'sec-fetch-site': 'same-origin',
          'accept-encoding': 'br, gzip',
          ...(cookies.size > 0 && {
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      .catch((error: Error) => {
        observe(label, performance.now() - dueAt, error.message)
        throw error
      })
    const ms = performance.now() - dueAt
    keepCookies(cookies, reply.head)
    const code = reply.status === 200 ? undefined : codeOf(reply)
    if (reply.status === 200 || alsoRight.includes(reply.status) || (code && alsoRight.includes(code))) {
      observe(label, ms, undefined)
      return reply
    }
    const failed = new CallFailed(label, reply.status, code)
    observe(label, ms, `${failed.status} ${failed.code ?? ''}`.trim())
    throw failed
  }

  return {
    async call<O extends OperationShape>(operation: O, input: CallInput<O> = {}) {
      return jsonOf(await send(operation, input)) as ResponseOf<O>
    },
    load: async (operation, input = {}) => (await send(operation, input)).status,
  }
}

function jsonOf({ head, body }: Reply): unknown {
  const encoding = headerOf(head, 'content-encoding')
  const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
  return JSON.parse(plain.toString())
}

/** The `code` of a problem; undefined for anything else. */
export function codeOf(reply: Reply): string | undefined {
  try {
    return (jsonOf(reply) as { code?: string }).code
  } catch {
    return undefined
  }
}

function keepCookies(cookies: Map<string, string>, head: string): void {
  for (const line of headersOf(head, 'set-cookie')) {
    const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}
