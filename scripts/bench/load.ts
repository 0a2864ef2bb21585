import autocannon from 'autocannon'
import type { Control } from '#test/kit/programs/control.ts'
import { failureOf, openBrowser, openPool, type Request, send } from './client.ts'
import { newPromised, phoneOf, type Route, travel } from './journey.ts'
import type { Promised } from './ledger.ts'

const connections = 32

interface Flood {
  readonly perSecond: number
  readonly answered: number
  readonly failed: number
}

export async function flood(url: string, { path, headers = {} }: Request, seconds: number): Promise<Flood> {
  const result = await autocannon({ url: `${url}${path}`, headers, connections, duration: seconds })
  return {
    perSecond: result['2xx'] / result.duration,
    answered: result['2xx'],
    failed: result.non2xx + result.errors,
  }
}

interface Timed {
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
    const failed = await send(pool, request).then(failureOf, (error: Error) => error.message)
    if (failed === undefined) times.push(performance.now() - startedAt)
    else failure ??= `${request.method} ${request.path}: ${failed}`
  }
  await pool.close()
  return { times, failure }
}

/**
 * Open arrivals: begins work at once and after each gap, even if earlier work has not ended. The returned
 * function stops this and waits for all. `dueAt` is of `performance.now()`; `begin` must record failures.
 */
export function startArrivals(
  nextGapMs: () => number,
  begin: (turn: number, dueAt: number) => Promise<unknown>,
): () => Promise<void> {
  const active = new Set<Promise<unknown>>()
  let turn = 0
  let dueAt = performance.now()
  const timer = setInterval(() => {
    for (; dueAt <= performance.now(); dueAt += nextGapMs()) {
      const work = begin(turn++, dueAt)
        .catch(() => undefined)
        .finally(() => active.delete(work))
      active.add(work)
    }
  }, 2)
  return async () => {
    clearInterval(timer)
    await Promise.all(active)
  }
}

interface Travels {
  readonly gatewayUrl: string
  readonly control: Control
  readonly routes: readonly Route[]
  readonly from: number
  readonly count: number
  readonly atOnce: number
  readonly promised?: Promised
}

/** A pilgrim with a session and a paid order. */
export interface Traveller {
  readonly userId: number
  readonly orderId: number
  readonly cookie: string
}

export async function travelMany({
  gatewayUrl,
  control,
  routes,
  from,
  count,
  atOnce,
  promised = newPromised(),
}: Travels) {
  const gateway = openPool(gatewayUrl)
  const times: number[] = []
  const failures: string[] = []
  const travellers: Traveller[] = []
  let next = from
  const startedAt = performance.now()
  const walker = async () => {
    while (next < from + count) {
      const index = next++
      const route = routes[index % routes.length] as Route
      const beganAt = performance.now()
      const browser = openBrowser([gateway])
      await travel(browser, control, phoneOf(index), route, promised).then(
        (ids) => {
          times.push(performance.now() - beganAt)
          travellers.push({ ...ids, cookie: browser.cookie() })
        },
        (error: Error) => failures.push(error.message),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, walker))
  const seconds = (performance.now() - startedAt) / 1_000
  await gateway.close()
  return { seconds, times, failures, travellers }
}
