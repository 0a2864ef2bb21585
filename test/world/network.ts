import type { FastifyInstance } from 'fastify'
import type { Random } from '#test/kit/basics/random.ts'
import { type EventReader, eventsOf } from '#test/kit/gateway/event-stream.ts'
import type { Transport } from '#test/kit/gateway/person.ts'
import { as, currentProgram, endRequest, newProgram, type Program } from './reality.ts'

/*
 * What lies between the programs, and between a person's phone and the gateways. It loses, delays, repeats and breaks.
 */

/** What becomes of a message and its answer. */
export const fates = {
  answered: 'is answered',
  refused: 'is refused a connection',
  lost: 'never arrives',
  'answer-lost': 'arrives, and its answer never does',
  broken: 'arrives, and the connection breaks before the answer',
  twice: 'arrives twice',
  late: 'arrives late',
  'failed-before': 'is answered 503, and nothing was done',
  'failed-after': 'is done and answered with a failure',
  garbage: 'is done and answered with a page of HTML',
  throttled: 'is answered 429',
} as const
export type Fate = keyof typeof fates

export interface Message {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

export type Answer = Awaited<ReturnType<Transport>>

/** A failure of the network as `fetch` throws it, with the code that Node gives it. */
export function connectionError(code: string): TypeError {
  return Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) })
}

/** Late, but within what the gateways allow for: see `GatewayLimits.shipmentQuietMs`. */
const longestDelayMs = 15_000

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The network itself, whose messages go on when their sender has ended. */
const wire = newProgram('network')

/**
 * Carries a message to `deliver`. @throws as `fetch` does. A message without fate of its own takes some milliseconds.
 */
export function carry(
  message: Message,
  fate: Fate,
  random: Random,
  deliver: (message: Message) => Promise<Answer>,
): Promise<Answer> {
  const answerWith = (status: number, text: string, headers = {}): Answer => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    bytes: Buffer.from(text),
  })
  return as(wire, async () => {
    await pause(random.between(1, 200))
    switch (fate) {
      case 'refused':
        throw connectionError('ECONNREFUSED')
      case 'lost':
        return new Promise<never>(() => {})
      case 'failed-before':
        return answerWith(503, '{"error":"unavailable"}')
      case 'throttled':
        return answerWith(429, '{"error":"slow down"}', { 'retry-after': String(random.between(1, 20)) })
      case 'late':
        await pause(random.between(1_000, longestDelayMs))
        break
      case 'twice':
        void deliver(message).catch(() => undefined)
        await pause(random.between(0, 3_000))
        break
      default:
    }
    const answer = await deliver(message)
    await pause(random.between(1, 200))
    switch (fate) {
      case 'answer-lost':
        return new Promise<never>(() => {})
      case 'broken':
        throw connectionError('ECONNRESET')
      case 'failed-after':
        return answerWith(random.pick([500, 502, 503]), '{"error":"failed"}')
      case 'garbage':
        return {
          status: 200,
          headers: { 'content-type': 'text/html' },
          bytes: Buffer.from('<html>502</html>'),
        }
      default:
        return answer
    }
  })
}

/*
 * Into an app of this process, without a connection: a story that one seed tells may not depend on when the machine opens
 * and reads sockets.
 */

export async function deliverTo(app: FastifyInstance, message: Message): Promise<Answer> {
  const { method, path: url, body: payload, headers } = message
  const request = { method: method as 'GET', url, headers, ...(payload !== undefined && { payload }) }
  const response = await app.inject(request)
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string | string[]>,
    bytes: new Uint8Array(response.rawPayload),
  }
}

export async function openEvents(
  app: FastifyInstance,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventReader> {
  const response = await app.inject({ method: 'GET', url: path, headers, payloadAsStream: true })
  const { raw, statusCode: status } = response
  return {
    status,
    headers: response.headers,
    ...eventsOf(response.stream()),
    // As the server sees a connection that is closed.
    leave: () => void raw.res.emit('close'),
  }
}

/** `fetch` for the programs of a world. @param send carries the message of `from` and never settles when that has ended */
export function fetchBy(send: (from: Program, url: URL, message: Message) => Promise<Answer>): typeof fetch {
  return (input, init = {}) => {
    const from = currentProgram()
    if (from === undefined) throw new Error(`a request outside of a program: ${String(input)}`)
    const url = new URL(String(input))
    const { body } = init
    const message: Message = {
      method: init.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...Object.fromEntries(new Headers(init.headers)) },
      body: body instanceof Uint8Array ? Buffer.from(body) : (body as string | undefined),
    }
    from.requests += 1
    return new Promise<Response>((resolve, reject) => {
      let isOver = false
      const once = (settle: () => void) => {
        if (isOver || !from.isUp) return
        isOver = true
        endRequest(from)
        settle()
      }
      const { signal } = init
      if (signal?.aborted) return once(() => reject(signal.reason))
      signal?.addEventListener('abort', () => once(() => reject(signal.reason)))
      send(from, url, message).then(
        ({ status, headers, bytes }) =>
          once(() => {
            const given = Object.entries(headers).flatMap(([name, values]) =>
              [values].flat().map((value): [string, string] => [name, String(value)]),
            )
            const hasBody = status !== 204 && status !== 304
            resolve(new Response(hasBody ? new Uint8Array(bytes) : null, { status, headers: given }))
          }),
        (error) => once(() => reject(error)),
      )
    })
  }
}
