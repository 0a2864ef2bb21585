import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase } from '#server/platform/database/database.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { readConfig } from '#shared/config/config.operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import { pages } from '#shared/platform/pages.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { startHaproxy } from '#test/kit/haproxy.ts'
import { openRelay, type Relay } from '#test/kit/relay.ts'
import { askFor, type Browser, openBrowser, openPool, type Sample } from './client.ts'
import { type Deployment, type PostgresServer, startDeployment, startPostgres } from './deployment.ts'
import { newPromised, phoneOf, type Route, signUp, travel } from './journey.ts'
import { startArrivals } from './load.ts'
import type { Options } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import { countsOf, figure, type Result, say, tableOf } from './report.ts'
import { routesOf } from './season.ts'

/** Promise: each gateway answers from the database within this time after the database has answered anyone. */
const backWithinMs = 15_000
const quietMs = 5_000
const tailMs = 20_000
const probeEveryMs = 500
const settledWithinMs = 180_000

const requestsPerSecond = 50
const journeyEveryMs = 2_000
const readers = 4
const firstPhone = 2

/** Served without the database: the home page, the booking page and its lists, the page of a kept pass. */
const publicPaths = [
  pages.home,
  pages.booking,
  listCenters.path,
  listAgents.path,
  readConfig.path,
  pages.order.replace(':id', '42'),
] as const

interface Outage {
  readonly name: string
  readonly ms: number
  readonly begin: () => unknown
  readonly end: () => unknown
}

const outagesOf = (postgres: PostgresServer, relay: Relay, seconds: number): readonly Outage[] => [
  {
    name: `stopped for ${seconds} s`,
    ms: seconds * 1_000,
    begin: () => postgres.outage('stop'),
    end: () => postgres.outage('start'),
  },
  {
    name: `frozen (SIGSTOP) for ${seconds + 5} s`,
    ms: (seconds + 5) * 1_000,
    begin: () => postgres.outage('freeze'),
    end: () => postgres.outage('thaw'),
  },
  {
    name: 'killed (SIGKILL) and started again',
    ms: 0,
    begin: () => postgres.outage('kill'),
    end: () => postgres.outage('start'),
  },
  {
    name: 'every connection silent, new ones work',
    ms: 0,
    begin: relay.loseConnections,
    end: () => undefined,
  },
  { name: `relay stopped for ${seconds} s`, ms: seconds * 1_000, begin: relay.pause, end: relay.resume },
]

interface Row {
  readonly name: string
  readonly needsNone: readonly Sample[]
  readonly needsDatabase: readonly Sample[]
  /** From the first query that the database answered, by gateway. */
  readonly backMs: readonly number[]
  /** Longest pause of a gateway's event loop, which the machine causes. */
  readonly stillMs: number
}

/** Two gateways behind HAProxy as deployed, on a PostgreSQL that fails in several ways, under load. */
export async function runOutage({ seconds }: Options): Promise<Result> {
  const postgres = await startPostgres({ isDurable: true })
  const closing: (() => Promise<unknown>)[] = [() => postgres.end()]
  try {
    const address = new URL(await postgres.createDatabase())
    const relay = await openRelay({ host: address.hostname, port: Number(address.port) })
    closing.unshift(() => relay.close())
    address.port = String(relay.port)
    const databaseUrl = String(address)
    const deployment = await startDeployment({
      gateways: 2,
      databaseUrl,
      env: { TRUSTED_PROXIES: '127.0.0.1' },
    })
    closing.unshift(() => deployment.close())
    const [one = '', two = ''] = deployment.gatewayUrls
    const haproxy = await startHaproxy([one, two], { isHasty: true })
    closing.unshift(() => haproxy.close())
    await haproxy.untilUp(2)

    const { control } = deployment
    const askers = deployment.gatewayUrls.map((url) => openBrowser([openPool(url)]))
    for (const [index, asker] of askers.entries()) await signUp(asker, control, phoneOf(index))
    const orderAudit = await startOrderAudit(deployment)
    const load = await startLoad(deployment, haproxy.url)
    const rows: Row[] = []
    for (const outage of outagesOf(postgres, relay, seconds)) {
      await deployment.longestStop()
      const { from, to, backMs } = await play(outage, databaseUrl, askers)
      const stillMs = await deployment.longestStop()
      const during = (samples: readonly Sample[]) =>
        samples.filter(({ dueAt, ms }) => dueAt + ms >= from && dueAt <= to)
      rows.push({
        name: outage.name,
        needsNone: during(load.needsNone),
        needsDatabase: during(load.needsDatabase),
        backMs,
        stillMs,
      })
      say(`  ${outage.name}: back after ${backMs.map((ms) => `${figure(ms / 1_000)} s`).join(' and ')}`)
    }
    await load.end()
    const { orders, lost, double } = await orderAudit.finish(load.promised, settledWithinMs)
    const found = `${requestsPerSecond} requests a second, half of them for pages and lists, and a journey every two seconds: ${orders} orders, ${lost.length} lost, ${double.length} double.`
    return {
      table: `${tableOf(heads, rows.map(cellsOf))}\n\n${found}`,
      numbers: { rows: rows.map((row) => [heads, cellsOf(row)]), orders, lost, double },
      faults: [...rows.flatMap(faultsOf), ...lost.slice(0, 5), ...double.slice(0, 5)],
    }
  } finally {
    for (const close of closing) await close().catch((error: unknown) => say(String(error)))
  }
}

async function startLoad({ control, lists }: Deployment, url: string) {
  const proxy = openPool(url)
  const needsNone: Sample[] = []
  const needsDatabase: Sample[] = []
  const promised = newPromised()
  const routes = routesOf(lists)
  const newBrowser = () => openBrowser([proxy], (sample) => needsDatabase.push(sample))

  const reads: (() => Promise<unknown>)[] = []
  for (let index = 0; index < readers; index += 1) {
    const browser = newBrowser()
    const userId = await signUp(browser, control, phoneOf(firstPhone + index))
    reads.push(
      () => browser.load(readUserSession),
      () => browser.load(listUserOrders, { params: { userId } }),
    )
  }
  const evenly = (perSecond: number) => () => 1_000 / perSecond
  const arrivals = [
    startArrivals(evenly(requestsPerSecond / 2), async (turn, dueAt) => {
      const path = publicPaths[turn % publicPaths.length] as string
      const headers = { 'accept-encoding': 'br, gzip' }
      const failure = await askFor(proxy, { method: 'GET', path, headers })
      needsNone.push({ operation: path, dueAt, ms: performance.now() - dueAt, failure })
    }),
    startArrivals(evenly(requestsPerSecond / 2), (turn) =>
      (reads[turn % reads.length] as () => Promise<void>)(),
    ),
    startArrivals(
      () => journeyEveryMs,
      (turn) => {
        const route = routes[turn % routes.length] as Route
        return travel(newBrowser(), control, phoneOf(firstPhone + readers + turn), route, promised)
      },
    ),
  ]
  return {
    needsNone,
    needsDatabase,
    promised,
    async end() {
      await Promise.all(arrivals.map((end) => end()))
      await proxy.close()
    },
  }
}

/** One outage, with quiet before and after, and when each gateway was back. Times are of `performance.now()`. */
async function play({ ms, begin, end }: Outage, databaseUrl: string, askers: readonly Browser[]) {
  await pause(quietMs)
  const from = performance.now()
  await begin()
  const probes = askers.map(startProbes)
  await pause(ms)
  await end()
  const firstAnswer = await untilAnswered(databaseUrl)
  await pause(tailMs)
  const backMs = await Promise.all(probes.map((backAfter) => backAfter(firstAnswer)))
  return { from, to: performance.now(), backMs }
}

async function untilAnswered(databaseUrl: string): Promise<number> {
  for (;;) {
    const database = createDatabase(
      openPostgres(databaseUrl, {
        applicationName: 'amtiati-bench',
        limits: { connectMs: 2_000, statementMs: 2_000, answerMs: 2_000 },
        onIdleError: () => undefined,
      }),
    )
    try {
      await database.check()
      return performance.now()
    } catch {
      await pause(50)
    } finally {
      await database.close()
    }
  }
}

/**
 * Reads a session repeatedly. The returned function ends this and returns how long after the database's first
 * answer the gateway gave the first answer from which on all were right.
 */
function startProbes(asker: Browser): (firstAnswer: number) => Promise<number> {
  const probes: { dueAt: number; endedAt: number; isAnswered: boolean }[] = []
  const end = startArrivals(
    () => probeEveryMs,
    async (_, dueAt) => {
      const isAnswered = await asker.load(readUserSession).then(
        () => true,
        () => false,
      )
      probes.push({ dueAt, endedAt: performance.now(), isAnswered })
    },
  )
  return async (firstAnswer) => {
    await end()
    const inOrder = probes.toSorted((a, b) => a.dueAt - b.dueAt)
    const first = inOrder[inOrder.findLastIndex(({ isAnswered }) => !isAnswered) + 1]
    return first ? Math.max(0, first.endedAt - firstAnswer) : Number.POSITIVE_INFINITY
  }
}

const failuresOf = (samples: readonly Sample[]) =>
  Object.entries(countsOf(samples.map(({ failure }) => failure)))

function faultsOf({ name, needsNone, backMs }: Row): string[] {
  const failed = failuresOf(needsNone).map(
    ([failure, count]) => `${name}: ${count} requests that need no database failed (${failure})`,
  )
  const late = backMs.flatMap((ms, index) =>
    ms <= backWithinMs ? [] : [`${name}: gateway ${index + 1} was back after ${figure(ms / 1_000)} s`],
  )
  return [...failed, ...late]
}

const heads = [
  ...['PostgreSQL', 'pages and lists', 'failed', 'slowest s', 'others', 'failed', 'slowest s'],
  ...['back after s', 'stood still s'],
]

function cellsOf({ name, needsNone, needsDatabase, backMs, stillMs }: Row): string[] {
  const counted = (samples: readonly Sample[]) => [
    String(samples.length),
    failuresOf(samples)
      .map(([failure, count]) => `${count} × ${failure}`)
      .join(', ') || '0',
    figure(Math.max(0, ...samples.map(({ ms }) => ms)) / 1_000),
  ]
  return [
    name,
    ...counted(needsNone),
    ...counted(needsDatabase),
    backMs.map((ms) => figure(ms / 1_000)).join(' and '),
    figure(stillMs / 1_000),
  ]
}
