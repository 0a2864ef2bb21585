import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase } from '#server/platform/database/database.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { startHaproxy } from '#test/kit/haproxy.ts'
import { openRelay, type Relay } from '#test/kit/relay.ts'
import type { Browser } from './browser.ts'
import { openPool } from './connection.ts'
import { readLists, routesOf } from './filled-deployment.ts'
import type { Job, OutageLoad, OutageSample } from './jobs.ts'
import { phoneOf } from './journey.ts'
import type { Options } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import { signUp } from './outage-load.ts'
import { type PostgresServer, startDeployment, startGenerator, startPostgres } from './processes.ts'
import { figure, tableOf } from './table.ts'

/** Promised: each gateway answers from the database again so soon after the database has answered anyone. */
const backWithinMs = 15_000
const quietMs = 5_000
const tailMs = 20_000
const probeEveryMs = 500
const settledWithinMs = 180_000

interface Outage {
  readonly name: string
  readonly ms: number
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
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
    begin: async () => relay.loseConnections(),
    end: async () => undefined,
  },
  {
    name: `relay stopped for ${seconds} s`,
    ms: seconds * 1_000,
    begin: async () => relay.pause(),
    end: async () => relay.resume(),
  },
]

interface Probe {
  readonly beganAt: number
  readonly endedAt: number
  readonly isAnswered: boolean
}

export interface OutageRow {
  readonly name: string
  readonly isPublic: Counted
  readonly needsDatabase: Counted
  /** From the first query that the database answered, by gateway. */
  readonly backMs: readonly number[]
  /** The longest time in which the event loop of a gateway stood still: what the machine adds. */
  readonly stillMs: number
}

interface Counted {
  readonly requests: number
  readonly failures: Readonly<Record<string, number>>
  readonly slowestMs: number
}

export interface OutageResult {
  readonly rate: number
  readonly rows: readonly OutageRow[]
  readonly orders: number
  readonly lost: number
  readonly double: number
  readonly faults: readonly string[]
}

/** Two gateways behind HAProxy as deployed, on a PostgreSQL that fails in several ways, under load. */
export async function runOutage(options: Options, say: (line: string) => void): Promise<OutageResult> {
  const postgres = await startPostgres({ isDurable: true })
  const generator = startGenerator()
  const closing: (() => Promise<unknown>)[] = [() => postgres.end(), () => generator.end()]
  try {
    let relay: Relay | undefined
    let databaseUrl = ''
    const deployment = await startDeployment({
      engine: 'postgres',
      gateways: 2,
      postgres,
      env: { TRUSTED_PROXIES: '127.0.0.1' },
      async reachedAt(url) {
        const through = new URL(url)
        relay = await openRelay({ host: through.hostname, port: Number(through.port) })
        through.port = String(relay.port)
        databaseUrl = String(through)
        return databaseUrl
      },
    })
    closing.unshift(() => deployment.close())
    if (!relay) throw new Error('there is no relay')
    const opened = relay
    closing.push(() => opened.close())
    const [one = '', two = ''] = deployment.gatewayUrls
    const haproxy = await startHaproxy([one, two], { isHasty: true })
    closing.unshift(() => haproxy.close())
    await haproxy.untilUp(2)

    const simulator = openPool(deployment.mockUrl)
    const askers = await Promise.all(
      deployment.gatewayUrls.map((url, index) => signUp(openPool(url), simulator, phoneOf(index))),
    )
    const orderAudit = await startOrderAudit(deployment)
    await generator.ask({
      kind: 'outage-start',
      url: haproxy.url,
      mockUrl: deployment.mockUrl,
      routes: routesOf(await readLists(deployment)),
      perSecond: options.rate,
      from: askers.length,
    } satisfies Job)
    const played = []
    for (const outage of outagesOf(postgres, opened, options.seconds)) {
      await deployment.vitals()
      const times = await play(
        outage,
        databaseUrl,
        askers.map(({ browser }) => browser),
      )
      say(`  ${outage.name}: back after ${times.backMs.map((ms) => `${figure(ms / 1_000)} s`).join(' and ')}`)
      const stillMs = Math.max(...(await deployment.vitals()).map(({ longestDelayMs }) => longestDelayMs))
      played.push({ outage, ...times, stillMs })
    }
    const load = await generator.ask<OutageLoad>({ kind: 'outage-stop' } satisfies Job)
    const audit = await orderAudit.finish(load.reported, load.checkouts, settledWithinMs)
    const rows = played.map(({ outage, from, to, backMs, stillMs }) =>
      rowOf(outage.name, load.samples, from, to, { backMs, stillMs }),
    )
    return {
      rate: options.rate,
      rows,
      orders: audit.orders,
      lost: audit.lost.length,
      double: audit.double.length,
      faults: [...rows.flatMap(faultsOf), ...audit.lost.slice(0, 5), ...audit.double.slice(0, 5)],
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

/** Reads a session again and again, each time without waiting for the answers before. */
async function probe(asker: Browser, signal: AbortSignal): Promise<readonly Probe[]> {
  const running: Promise<Probe>[] = []
  while (!signal.aborted) {
    const beganAt = Date.now()
    running.push(
      asker.load(readUserSession).then(
        () => ({ beganAt, endedAt: Date.now(), isAnswered: true }),
        () => ({ beganAt, endedAt: Date.now(), isAnswered: false }),
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

function rowOf(
  name: string,
  samples: readonly OutageSample[],
  from: number,
  to: number,
  times: Pick<OutageRow, 'backMs' | 'stillMs'>,
): OutageRow {
  const own = samples.filter(({ at, ms }) => at + ms >= from && at <= to)
  const counted = (those: readonly OutageSample[]): Counted => ({
    requests: those.length,
    failures: Object.fromEntries(
      [...Map.groupBy(those, ({ failure }) => failure ?? '')]
        .filter(([failure]) => failure !== '')
        .map(([failure, failed]) => [failure, failed.length]),
    ),
    slowestMs: Math.max(0, ...those.map(({ ms }) => ms)),
  })
  return {
    name,
    isPublic: counted(own.filter(({ isPublic }) => isPublic)),
    needsDatabase: counted(own.filter(({ isPublic }) => !isPublic)),
    ...times,
  }
}

function faultsOf({ name, isPublic, backMs }: OutageRow): string[] {
  const failed = Object.entries(isPublic.failures).map(
    ([failure, count]) => `${name}: ${count} requests that need no database failed (${failure})`,
  )
  const late = backMs.flatMap((ms, index) =>
    ms <= backWithinMs ? [] : [`${name}: gateway ${index + 1} was back after ${figure(ms / 1_000)} s`],
  )
  return [...failed, ...late]
}

export function outageTable({ rate, rows, orders, lost, double }: OutageResult): string {
  const sum = (failures: Counted['failures']) =>
    Object.values(failures).reduce((all, count) => all + count, 0)
  const named = ({ failures }: Counted) =>
    Object.entries(failures)
      .map(([failure, count]) => `${count} × ${failure}`)
      .join(', ') || '–'
  return `${tableOf(
    [
      'PostgreSQL',
      'pages and lists',
      'failed',
      'slowest s',
      'others',
      'failed',
      'slowest s',
      'back after s',
      'stood still s',
      'failures of others',
    ],
    rows.map(({ name, isPublic, needsDatabase, backMs, stillMs }) => [
      name,
      String(isPublic.requests),
      String(sum(isPublic.failures)),
      figure(isPublic.slowestMs / 1_000),
      String(needsDatabase.requests),
      String(sum(needsDatabase.failures)),
      figure(needsDatabase.slowestMs / 1_000),
      backMs.map((ms) => figure(ms / 1_000)).join(' and '),
      figure(stillMs / 1_000),
      named(needsDatabase),
    ]),
  )}\n\n${rate} requests a second, half of them for pages and lists, and a journey every two seconds: ${orders} orders, ${lost} lost, ${double} double.`
}
