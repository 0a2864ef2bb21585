import autocannon from 'autocannon'
import { failureOf, openBrowser, openPool, type Request, send } from './client.ts'
import { type Journey, phoneOf, type Route, travel } from './journey.ts'
import { type Summary, summaryOf } from './report.ts'

/** Load of one kind each, from this process. */

const connections = 32

export interface Flood {
  readonly perSecond: number
  readonly answered: number
  readonly failed: number
}

/** As many requests as the server answers over 32 connections: its maximum rate. */
export async function flood(url: string, { path, headers = {} }: Request, seconds: number): Promise<Flood> {
  const result = await autocannon({ url: `${url}${path}`, headers, connections, duration: seconds })
  return {
    perSecond: result['2xx'] / result.duration,
    answered: result['2xx'],
    failed: result.non2xx + result.errors,
  }
}

/** Milliseconds of each expected answer, and the first other one. */
export interface Timed {
  readonly times: readonly number[]
  readonly failure?: string | undefined
}

/** One request after the other on one connection: the latency for one user. */
export async function inTurn(url: string, requests: readonly Request[]): Promise<Timed> {
  const pool = openPool(url)
  const times: number[] = []
  let failure: string | undefined
  for (const request of requests) {
    const startedAt = performance.now()
    const failed = failureOf(await send(pool, request))
    if (failed === undefined) times.push(performance.now() - startedAt)
    else failure ??= `${request.method} ${request.path} answered ${failed}`
  }
  await pool.close()
  return { times, failure }
}

export interface Neighbours {
  readonly summary: Summary
  /** How often each failure occurred. */
  readonly failures: Readonly<Record<string, number>>
}

/** Requests at a fixed rate, whether or not those before were answered, until the returned function is called. */
export function startNeighbours(
  url: string,
  requests: readonly Request[],
  perSecond: number,
): () => Promise<Neighbours> {
  const pool = openPool(url)
  const times: number[] = []
  const failures: Record<string, number> = {}
  const sent: Promise<void>[] = []
  const startedAt = performance.now()

  async function ask(request: Request, dueAt: number): Promise<void> {
    const failure = await send(pool, request).then(failureOf, (error: Error) => error.message)
    times.push(performance.now() - dueAt)
    if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1
  }
  const timer = setInterval(() => {
    for (;;) {
      const dueAt = startedAt + (sent.length * 1_000) / perSecond
      if (dueAt > performance.now()) return
      sent.push(ask(requests[sent.length % requests.length] as Request, dueAt))
    }
  }, 2)
  return async () => {
    clearInterval(timer)
    await Promise.all(sent)
    await pool.close()
    return { summary: summaryOf(times), failures }
  }
}

interface Travels {
  readonly gatewayUrl: string
  readonly mockUrl: string
  readonly routes: readonly Route[]
  /** The first phone. */
  readonly from: number
  readonly count: number
  readonly atOnce: number
}

/** Whole journeys, several at a time. */
export async function travelMany({ gatewayUrl, mockUrl, routes, from, count, atOnce }: Travels) {
  const gateway = openPool(gatewayUrl)
  const simulator = openPool(mockUrl)
  const journeys: Journey[] = []
  let next = from
  const startedAt = performance.now()
  const walker = async () => {
    while (next < from + count) {
      const index = next++
      const route = routes[index % routes.length] as Route
      journeys.push(await travel(openBrowser([gateway]), simulator, phoneOf(index), route))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, walker))
  const seconds = (performance.now() - startedAt) / 1_000
  await Promise.all([gateway.close(), simulator.close()])
  return { seconds, journeys }
}
