import { checkout } from '#shared/checkout/checkout.operations.ts'
import { readConfig } from '#shared/config/config.operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import { pages } from '#shared/platform/pages.ts'
import { readUserSession, requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { type Browser, type Observe, openBrowser } from './browser.ts'
import { openPool, type Pool } from './connection.ts'
import type { Job, OutageLoad, OutageSample } from './jobs.ts'
import { awaitBill, checkoutBody, codeFor, pay, phoneOf } from './journey.ts'
import type { ReportedOrder } from './ledger.ts'

/** What is served without the database: the home page, the booking page and its lists, the page of a kept claim. */
const publicPaths = [
  pages.home,
  pages.booking,
  listCenters.path,
  listAgents.path,
  readConfig.path,
  pages.order.replace(':id', '42'),
]
/** Users that are signed in before, and read their orders. */
const readers = 4
const journeyEveryMs = 2_000
/** After the load: for orders whose user was refused while the database was away. */
const lookAgainMs = 30_000

interface Pilgrim {
  readonly browser: Browser
  readonly userId: number
}

/** Signs in over `gateway`. */
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

/** Resolves when the load has begun, with the function that ends it. */
export async function startOutageLoad({
  url,
  mockUrl,
  routes,
  perSecond,
  from,
}: Extract<Job, { kind: 'outage-start' }>): Promise<() => Promise<OutageLoad>> {
  const proxy = openPool(url)
  const simulator = openPool(mockUrl)
  const samples: OutageSample[] = []
  const reported = new Map<number, { order: ReportedOrder; browser: Browser }>()
  let checkouts = 0
  const keep = (isPublic: boolean, what: string, ms: number, failure: string | undefined) =>
    samples.push({ at: Date.now() - ms, ms, isPublic, what, failure })
  const observe: Observe = (operation, ms, failure) => keep(false, operation, ms, failure)

  async function load(path: string): Promise<void> {
    const dueAt = performance.now()
    const failure = await proxy
      .request({ method: 'GET', path, headers: { 'accept-encoding': 'br, gzip' } })
      .then(
        ({ status }) => (status === 200 ? undefined : String(status)),
        (error: Error) => error.message,
      )
    keep(true, path, performance.now() - dueAt, failure)
  }

  async function travel(index: number): Promise<void> {
    const route = routes[index % routes.length]
    if (!route) throw new Error('there is no route')
    const { browser, userId } = await signUp(proxy, simulator, phoneOf(index), observe)
    checkouts += 1
    const { orderId } = await browser.call(checkout, { body: checkoutBody(userId, route) })
    const see = (order: ReportedOrder) => void reported.set(orderId, { order, browser })
    see({ orderId, status: 'PENDING_PAYMENT', awb: null })
    await pay(simulator, orderId)
    see(await awaitBill(browser, orderId, lookAgainMs))
  }

  const known = await Promise.all(
    Array.from({ length: readers }, (_, index) => signUp(proxy, simulator, phoneOf(from + index), observe)),
  )
  const reads = known.flatMap(({ browser, userId }) => [
    () => browser.load(readUserSession),
    () => browser.load(listUserOrders, { params: { userId } }),
  ])
  const waiting = new Set<Promise<void>>()
  const begin = (work: Promise<unknown>) => {
    // Its failure is among the samples.
    const ended = work.then(
      () => void waiting.delete(ended),
      () => void waiting.delete(ended),
    )
    waiting.add(ended)
  }
  const startedAt = performance.now()
  let sent = 0
  let journeys = 0
  const timer = setInterval(() => {
    const passedMs = performance.now() - startedAt
    for (; sent < (passedMs * perSecond) / 1_000; sent += 1) {
      const turn = Math.floor(sent / 2)
      if (sent % 2 === 0) begin(load(publicPaths[turn % publicPaths.length] as string))
      else begin((reads[turn % reads.length] as () => Promise<unknown>)())
    }
    for (; journeys < passedMs / journeyEveryMs; journeys += 1) begin(travel(from + readers + journeys))
  }, 5)

  return async () => {
    clearInterval(timer)
    await Promise.all(waiting)
    // A pilgrim who was refused looks at the order again.
    await Promise.all(
      [...reported.values()]
        .filter(({ order }) => order.awb === null)
        .map(async ({ order: { orderId }, browser }) => {
          const order = await awaitBill(browser, orderId, lookAgainMs).catch(() => undefined)
          if (order) reported.set(orderId, { order, browser })
        }),
    )
    proxy.close()
    simulator.close()
    return { samples, reported: [...reported.values()].map(({ order }) => order), checkouts }
  }
}
