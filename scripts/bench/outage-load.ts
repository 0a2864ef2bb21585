import type { Pool } from 'undici'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { readConfig } from '#shared/config/config.operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import { pages } from '#shared/platform/pages.ts'
import { readUserSession, requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { type Browser, failureOf, type Observe, openBrowser, openPool, send } from './client.ts'
import { awaitBill, checkoutBody, codeFor, pay, phoneOf, type Route } from './journey.ts'
import type { ReportedOrder } from './ledger.ts'

/** Half for pages and lists, half for sessions and orders. */
export const requestsPerSecond = 50
const journeyEveryMs = 2_000
/** Pilgrims that are signed in before, and read their orders. */
const readers = 4
/** After the load: for orders whose pilgrim was refused while the database was away. */
const lookAgainMs = 30_000

/** What is served without the database: the home page, the booking page and its lists, the page of a kept pass. */
const publicPaths = [
  pages.home,
  pages.booking,
  listCenters.path,
  listAgents.path,
  readConfig.path,
  pages.order.replace(':id', '42'),
] as const

/** A request: when it was due (epoch milliseconds), how long it took from then, and how it failed. */
export interface OutageSample {
  readonly at: number
  readonly ms: number
  /** Needs no database. */
  readonly isPublic: boolean
  readonly failure: string | undefined
}

export interface OutageLoad {
  readonly samples: readonly OutageSample[]
  readonly reported: readonly ReportedOrder[]
  readonly checkouts: number
}

interface Pilgrim {
  readonly browser: Browser
  readonly userId: number
}

export async function signUp(
  gateway: Pool,
  simulator: Pool,
  phone: string,
  observe?: Observe,
): Promise<Pilgrim> {
  const browser = openBrowser([gateway], observe)
  const name = 'Maryam Al-Harbi'
  await browser.load(requestOtp, { body: { phone, name } })
  const code = await codeFor(simulator, phone)
  const { user } = await browser.call(verifyOtp, { body: { phone, code, name } })
  return { browser, userId: user.id }
}

interface OutageLoadOptions {
  /** The proxy. */
  readonly url: string
  readonly mockUrl: string
  readonly routes: readonly Route[]
  /** The first phone. */
  readonly from: number
}

/** Requests at a fixed rate, whether or not those before were answered, until the returned function is called. */
export async function startOutageLoad({ url, mockUrl, routes, from }: OutageLoadOptions) {
  const proxy = openPool(url)
  const simulator = openPool(mockUrl)
  const samples: OutageSample[] = []
  const reported = new Map<number, { order: ReportedOrder; browser: Browser }>()
  let checkouts = 0
  const keep = (isPublic: boolean, ms: number, failure: string | undefined) =>
    samples.push({ at: Date.now() - ms, ms, isPublic, failure })
  const observe: Observe = (_, ms, failure) => keep(false, ms, failure)

  async function load(path: string): Promise<void> {
    const dueAt = performance.now()
    const failure = await send(proxy, {
      method: 'GET',
      path,
      headers: { 'accept-encoding': 'br, gzip' },
    }).then(failureOf, (error: Error) => error.message)
    keep(true, performance.now() - dueAt, failure)
  }

  async function travel(index: number): Promise<void> {
    const { browser, userId } = await signUp(proxy, simulator, phoneOf(index), observe)
    checkouts += 1
    const body = checkoutBody(userId, routes[index % routes.length] as Route)
    const { orderId } = await browser.call(checkout, { body })
    const see = (order: ReportedOrder) => void reported.set(orderId, { order, browser })
    see({ orderId, status: 'PENDING_PAYMENT', awb: null })
    await pay(simulator, orderId)
    see(await awaitBill(browser, orderId, lookAgainMs))
  }

  const known = await Promise.all(
    Array.from({ length: readers }, (_, index) => signUp(proxy, simulator, phoneOf(from + index), observe)),
  )
  const reads: readonly (() => Promise<unknown>)[] = known.flatMap(({ browser, userId }) => [
    () => browser.load(readUserSession),
    () => browser.load(listUserOrders, { params: { userId } }),
  ])
  const waiting = new Set<Promise<void>>()
  const begin = (work: Promise<unknown>) => {
    // Its failure is among the samples.
    const ended: Promise<void> = work.catch(() => undefined).then(() => void waiting.delete(ended))
    waiting.add(ended)
  }
  const startedAt = performance.now()
  let sent = 0
  let journeys = 0
  const timer = setInterval(() => {
    const passedMs = performance.now() - startedAt
    for (; sent < (passedMs * requestsPerSecond) / 1_000; sent += 1) {
      const turn = Math.floor(sent / 2)
      const read = reads[turn % reads.length]
      if (sent % 2 === 0 || read === undefined) begin(load(publicPaths[turn % publicPaths.length] as string))
      else begin(read())
    }
    for (; journeys < passedMs / journeyEveryMs; journeys += 1) begin(travel(from + readers + journeys))
  }, 5)

  return async (): Promise<OutageLoad> => {
    clearInterval(timer)
    await Promise.all(waiting)
    // A pilgrim who was refused looks at the order again.
    const unbilled = [...reported.values()].filter(({ order }) => order.awb === null)
    await Promise.all(
      unbilled.map(async ({ order: { orderId }, browser }) => {
        const order = await awaitBill(browser, orderId, lookAgainMs).catch(() => undefined)
        if (order) reported.set(orderId, { order, browser })
      }),
    )
    await Promise.all([proxy.close(), simulator.close()])
    return { samples, reported: [...reported.values()].map(({ order }) => order), checkouts }
  }
}
