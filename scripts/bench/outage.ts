import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase } from '#server/platform/database/database.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { startHaproxy } from '#test/kit/haproxy.ts'
import { openRelay, type Relay } from '#test/kit/relay.ts'
import { type Browser, openPool } from './client.ts'
import { phoneOf } from './journey.ts'
import type { Options } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import { type OutageSample, requestsPerSecond, signUp, startOutageLoad } from './outage-load.ts'
import { type PostgresServer, startDeployment, startPostgres } from './processes.ts'
import { figure, tableOf } from './report.ts'
import { readLists, routesOf } from './season.ts'

/** Promised: each gateway answers from the database again so soon after the database has answered anyone. */
const backWithinMs = 15_000
const quietMs = 5_000
const tailMs = 20_000
const probeEveryMs = 500
const settledWithinMs = 180_000

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

interface Counted {
  readonly requests: number
  readonly failures: Readonly<Record<string, number>>
  readonly slowestMs: number
}

interface OutageRow {
  readonly name: string
  readonly needsNone: Counted
  readonly needsDatabase: Counted
  /** From the first query that the database answered, by gateway. */
  readonly backMs: readonly number[]
  /** The longest time in which the event loop of a gateway stood still: what the machine adds. */
  readonly stillMs: number
}

interface OutageResult {
  readonly rows: readonly OutageRow[]
  readonly orders: number
  readonly lost: number
  readonly double: number
  readonly faults: readonly string[]
}

/** Two gateways behind HAProxy as deployed, on a PostgreSQL that fails in several ways, under load. */
export async function runOutage({ seconds }: Options, say: (line: string) => void): Promise<OutageResult> {
  const postgres = await startPostgres({ isDurable: true })
  const closing: (() => Promise<unknown>)[] = [() => postgres.end()]
  try {
    const address = new URL(await postgres.createDatabase())
    const relay = await openRelay({ host: address.hostname, port: Number(address.port) })
    closing.unshift(() => relay.close())
    address.port = String(relay.port)
    const databaseUrl = String(address)
    const deployment = await startDeployment({
      engine: 'postgres',
      gateways: 2,
      databaseUrl,
      env: { TRUSTED_PROXIES: '127.0.0.1' },
    })
    closing.unshift(() => deployment.close())
    const [one = '', two = ''] = deployment.gatewayUrls
    const haproxy = await startHaproxy([one, two], { isHasty: true })
    closing.unshift(() => haproxy.close())
    await haproxy.untilUp(2)

    const simulator = openPool(deployment.mockUrl)
    const askers = await Promise.all(
      deployment.gatewayUrls.map((url, index) => signUp(openPool(url), simulator, phoneOf(index))),
    )
    const orderAudit = await startOrderAudit(deployment)
    const endLoad = await startOutageLoad({
      url: haproxy.url,
      mockUrl: deployment.mockUrl,
      routes: routesOf(await readLists(deployment)),
      from: askers.length,
    })
    const browsers = askers.map(({ browser }) => browser)
    const played = []
    for (const outage of outagesOf(postgres, relay, seconds)) {
      await deployment.longestStop()
      const times = await play(outage, databaseUrl, browsers)
      say(`  ${outage.name}: back after ${times.backMs.map((ms) => `${figure(ms / 1_000)} s`).join(' and ')}`)
      played.push({ name: outage.name, ...times, stillMs: await deployment.longestStop() })
    }
    const { samples, reported, checkouts } = await endLoad()
    await simulator.close()
    const { orders, lost, double } = await orderAudit.finish(reported, checkouts, settledWithinMs)
    const rows = played.map(({ from, to, ...own }): OutageRow => {
      const during = Map.groupBy(
        samples.filter(({ at, ms }) => at + ms >= from && at <= to),
        ({ isPublic }) => isPublic,
      )
      return {
        ...own,
        needsNone: counted(during.get(true) ?? []),
        needsDatabase: counted(during.get(false) ?? []),
      }
    })
    return {
      rows,
      orders,
      lost: lost.length,
      double: double.length,
      faults: [...rows.flatMap(faultsOf), ...lost.slice(0, 5), ...double.slice(0, 5)],
    }
  } finally {
    for (const close of closing) await close().catch((error: unknown) => say(String(error)))
  }
}

/** One outage, with quiet before and after, and when each gateway was back. */
async function play({ ms, begin, end }: Outage, databaseUrl: string, askers: readonly Browser[]) {
  await pause(quietMs)
  const from = Date.now()
  await begin()
  const probing = new AbortController()
  const probes = askers.map((asker) => probe(asker, probing.signal))
  await pause(ms)
  await end()
  const firstAnswer = await untilAnswered(databaseUrl)
  await pause(tailMs)
  probing.abort()
  const backMs = (await Promise.all(probes)).map((own) => backAfter(own, firstAnswer))
  return { from, to: Date.now(), backMs }
}

/** The time of the first query that is answered on a new connection. */
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
      return Date.now()
    } catch {
      await pause(50)
    } finally {
      await database.close()
    }
  }
}

interface Probe {
  readonly endedAt: number
  readonly isAnswered: boolean
}

/** Reads a session again and again, each time without waiting for the answers before. */
async function probe(asker: Browser, signal: AbortSignal): Promise<readonly Probe[]> {
  const running: Promise<Probe>[] = []
  while (!signal.aborted) {
    const ended = (isAnswered: boolean) => ({ endedAt: Date.now(), isAnswered })
    running.push(
      asker.load(readUserSession).then(
        () => ended(true),
        () => ended(false),
      ),
    )
    await pause(probeEveryMs, undefined, { signal }).catch(() => undefined)
  }
  return Promise.all(running)
}

/** Until the first answer after which every probe was answered. */
function backAfter(probes: readonly Probe[], firstAnswer: number): number {
  const lastFailed = probes.findLastIndex(({ isAnswered }) => !isAnswered)
  const first = probes[lastFailed + 1]
  return first ? Math.max(0, first.endedAt - firstAnswer) : Number.POSITIVE_INFINITY
}

function counted(samples: readonly OutageSample[]): Counted {
  const failed = samples.flatMap(({ failure }) => failure ?? [])
  return {
    requests: samples.length,
    failures: Object.fromEntries(
      [...Map.groupBy(failed, (failure) => failure)].map(([failure, all]) => [failure, all.length]),
    ),
    slowestMs: Math.max(0, ...samples.map(({ ms }) => ms)),
  }
}

function faultsOf({ name, needsNone, backMs }: OutageRow): string[] {
  const failed = Object.entries(needsNone.failures).map(
    ([failure, count]) => `${name}: ${count} requests that need no database failed (${failure})`,
  )
  const late = backMs.flatMap((ms, index) =>
    ms <= backWithinMs ? [] : [`${name}: gateway ${index + 1} was back after ${figure(ms / 1_000)} s`],
  )
  return [...failed, ...late]
}

export function outageTable({ rows, orders, lost, double }: OutageResult): string {
  const cellsOf = ({ requests, failures, slowestMs }: Counted) => [
    String(requests),
    Object.entries(failures)
      .map(([failure, count]) => `${count} × ${failure}`)
      .join(', ') || '0',
    figure(slowestMs / 1_000),
  ]
  const heads = ['PostgreSQL', 'pages and lists', 'failed', 'slowest s', 'others', 'failed', 'slowest s']
  const table = tableOf(
    [...heads, 'back after s', 'stood still s'],
    rows.map(({ name, needsNone, needsDatabase, backMs, stillMs }) => [
      name,
      ...cellsOf(needsNone),
      ...cellsOf(needsDatabase),
      backMs.map((ms) => figure(ms / 1_000)).join(' and '),
      figure(stillMs / 1_000),
    ]),
  )
  return `${table}\n\n${requestsPerSecond} requests a second, half of them for pages and lists, and a journey every two seconds: ${orders} orders, ${lost} lost, ${double} double.`
}
