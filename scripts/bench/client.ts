import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Pool } from 'undici'
import type { OperationOf } from '#shared/operations.ts'
import type { BodyOf, Endpoint, ResponseOf } from '#shared/platform/operation.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export const openPool = (url: string): Pool => new Pool(url, { headersTimeout: 60_000, bodyTimeout: 60_000 })

export async function send(pool: Pool, { method, path, headers = {}, body }: Request): Promise<Reply> {
  const reply = await pool.request({
    method: method as 'GET',
    path,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body ?? null,
  })
  return {
    status: reply.statusCode,
    headers: reply.headers as IncomingHttpHeaders,
    body: Buffer.from(await reply.body.arrayBuffer()),
  }
}

export function failureOf(reply: Reply): string | undefined {
  return reply.status === 200 ? undefined : `${reply.status} ${codeOf(reply) ?? ''}`.trim()
}

export interface Sample {
  readonly operation: string
  readonly dueAt: number
  /** From the time when the request was due, even if it was sent later. */
  readonly ms: number
  readonly failure: string | undefined
}

export interface CallInput<O extends Endpoint> {
  params?: Readonly<Record<string, string | number>>
  query?: string
  body?: BodyOf<OperationOf<O>>
  headers?: Readonly<Record<string, string>>
  /** `performance.now()` at which the request is due; its time counts from then. */
  dueAt?: number
  alsoRight?: readonly (number | string)[]
}

/** A client with its own cookies that calls operations like the app, without loading pages. */
export interface Browser {
  call<O extends Endpoint>(operation: O, input?: CallInput<O>): Promise<ResponseOf<OperationOf<O>>>
  load<O extends Endpoint>(operation: O, input?: CallInput<O>): Promise<number>
  cookie(): string
}

let browsers = 0

/** @param gateways used in turn; each browser begins with another one. */
export function openBrowser(
  gateways: readonly Pool[],
  observe: (sample: Sample) => void = () => undefined,
): Browser {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  let turn = browsers++

  async function ask<O extends Endpoint>(
    operation: O,
    { params = {}, query, body, headers, dueAt = performance.now(), alsoRight = [] }: CallInput<O>,
  ): Promise<Reply> {
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(params[name])),
    )
    const label = `${operation.method} ${operation.path}`
    const observed = (failure: string | undefined) =>
      observe({ operation: label, dueAt, ms: performance.now() - dueAt, failure })
    const reply = await send(gateways[turn++ % gateways.length] as Pool, {
      method: operation.method,
      path: query === undefined ? path : `${path}?${query}`,
      headers: {
        'sec-fetch-site': 'same-origin',
        'accept-encoding': 'br, gzip',
        ...(cookies.size > 0 && { cookie: cookie() }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      observed(error.message)
      throw error
    })
    keepCookies(cookies, reply)
    const isRight = alsoRight.includes(reply.status) || alsoRight.includes(codeOf(reply) ?? '')
    const failure = isRight ? undefined : failureOf(reply)
    observed(failure)
    if (failure !== undefined) throw new Error(`${label} answered ${failure}`)
    return reply
  }

  return {
    async call<O extends Endpoint>(operation: O, input: CallInput<O> = {}) {
      return jsonOf(await ask(operation, input)) as ResponseOf<OperationOf<O>>
    },
    load: async (operation, input = {}) => (await ask(operation, input)).status,
    cookie,
  }
}

function jsonOf({ headers, body }: Reply): unknown {
  const encoding = headers['content-encoding']
  const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
  return JSON.parse(plain.toString())
}

function codeOf(reply: Reply): string | undefined {
  if (reply.status === 200) return undefined
  try {
    return (jsonOf(reply) as { code?: string }).code
  } catch {
    return undefined
  }
}

function keepCookies(cookies: Map<string, string>, { headers }: Reply): void {
  for (const line of [headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}
