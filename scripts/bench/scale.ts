import { setTimeout as pause } from 'node:timers/promises'
import { inquiryDueAt } from '#server/features/payments/payments.rules.ts'
import { deleteUser, exportUser } from '#shared/account/account.operations.ts'
import { listAgentOrders, readLabelPdf, readOrder } from '#shared/orders/orders.operations.ts'
import type { AgentOrderPage } from '#shared/orders/orders.schemas.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import type { Request } from './connection.ts'
import { countDue, prepareExpiry } from './fill.store.ts'
import {
  checkoutRequest,
  type FilledDeployment,
  listRequest,
  routesOf,
  type SignedIn,
  startFilledDeployment,
} from './filled-deployment.ts'
import type { Job, JourneysResult, LineResult, NeighboursResult } from './jobs.ts'
import { median, summaryOf } from './numbers.ts'
import type { Options } from './options.ts'
import { type Child, type PostgresServer, startGenerator, startPostgres } from './processes.ts'
import { figure, tableOf } from './table.ts'

/** How long an operation took at a size of the database, and its effect on other users' requests. */
export interface ScaleLine {
  readonly engine: string
  readonly size: number
  readonly operation: string
  readonly count: number
  /** Milliseconds. */
  readonly median: number
  readonly slowest: number
  /** Longest block of the gateway's event loop, in milliseconds. */
  readonly longestDelay: number
  /** Slowest request of other users meanwhile; the excess over that of `quiet` is the effect of the operation. */
  readonly slowestNeighbour: number
  readonly failure?: string | undefined
}

export interface ScaleResult {
  readonly lines: readonly ScaleLine[]
  readonly faults: readonly string[]
  /** Seconds to fill the database, by engine and size. */
  readonly fillSeconds: Readonly<Record<string, number>>
}

/** Session checks and reads of an order, by other users. */
const neighboursPerSecond = 40
const quietMs = 5_000
const expiring = { attempts: 100, orders: 1_000 }
const expiryWithinMs = 120_000

interface Bench {
  readonly options: Options
  /** `generator` sends the measured requests, `neighbours` those of other users. */
  readonly generator: Child
  readonly neighbours: Child
  readonly faults: string[]
}

export async function runScale(options: Options, say: (line: string) => void): Promise<ScaleResult> {
  const bench: Bench = { options, generator: startGenerator(), neighbours: startGenerator(), faults: [] }
  const postgres = options.engines.includes('postgres') ? await startPostgres() : undefined
  const lines: ScaleLine[] = []
  const fillSeconds: Record<string, number> = {}
  try {
    for (const engine of options.engines)
      for (const size of options.sizes) {
        say(`${engine}, ${size} orders`)
        const deployment = await startDeploymentOf(engine, size, postgres, options, say)
        fillSeconds[`${engine} ${size}`] = deployment.fillSeconds
        try {
          for await (const line of measure(bench, deployment)) {
            lines.push({ engine, size, ...line })
            say(`  ${line.operation}: median ${figure(line.median)} ms, slowest ${figure(line.slowest)} ms`)
          }
        } finally {
          await deployment.close()
        }
      }
  } finally {
    await bench.generator.end()
    await bench.neighbours.end()
    await postgres?.end()
  }
  return { lines, faults: bench.faults, fillSeconds }
}

const startDeploymentOf = (
  engine: FilledDeployment['engine'],
  size: number,
  postgres: PostgresServer | undefined,
  options: Options,
  say: (line: string) => void,
) => startFilledDeployment({ engine, postgres, size, users: usersFor(options) }, say)

const usersFor = ({ rounds }: Options) => 10 + 2 * rounds

type Measured = Omit<ScaleLine, 'engine' | 'size'>

async function* measure(bench: Bench, deployment: FilledDeployment): AsyncGenerator<Measured> {
  const { rounds } = bench.options
  const { users, frequent, agent } = deployment
  const routes = routesOf(deployment.lists)
  const times = <T>(things: readonly T[], of: (thing: T) => Request) =>
    Array.from({ length: rounds }, (_, index) => things[index % things.length])
      .filter((thing) => thing !== undefined)
      .map(of)
  const get = (path: string) => (user: SignedIn) => ({ method: 'GET', path, headers: user.headers }) as const
  const agentPath = listAgentOrders.path.replace(':agentId', String(agent.id))
  const agentRequest = (query: string) => (_: unknown) => get(`${agentPath}${query}`)(agent)
  const readOf = (user: (typeof users)[number]) =>
    get(readOrder.path.replace(':id', String(user.orderId)))(user)
  const labelOf = (user: (typeof users)[number]) => get(readLabelPdf.path.replace(':awb', user.awb))(user)

  const neighbours: Request[] = users
    .slice(0, 10)
    .flatMap((user) => [get(readUserSession.path)(user), readOf(user)])
  const during = createDuring(bench, deployment, neighbours)
  const line = (requests: readonly Request[]) => async () => {
    const { times: taken, failure } = await bench.generator.ask<LineResult>({
      kind: 'line',
      url: deployment.gatewayUrls[0] ?? '',
      requests,
    } satisfies Job)
    return { times: taken, failure }
  }

  // Warm-up of statements, lists and code.
  await line([...neighbours, ...times(users, listRequest)])()
  yield during('quiet', async () => {
    await pause(quietMs)
    return { times: [] }
  })
  yield during('session check', line(times(users, get(readUserSession.path))))
  yield during('order list', line(times(users, listRequest)))
  yield during('order', line(times(users, readOf)))
  yield during('label', line(times(users, labelOf)))
  const buyers = users.slice(10, 10 + rounds)
  yield during(
    'checkout',
    line(
      buyers.flatMap((user, index) => {
        const route = routes[index % routes.length]
        return route ? [checkoutRequest(user, route)] : []
      }),
    ),
  )
  yield during('whole journey', async () => {
    const { journeys } = await bench.generator.ask<JourneysResult>({
      kind: 'journeys',
      gatewayUrl: deployment.gatewayUrls[0] ?? '',
      mockUrl: deployment.mockUrl,
      routes,
      from: 0,
      count: rounds,
      atOnce: 1,
    } satisfies Job)
    return {
      times: journeys.map(({ ms }) => ms),
      failure: journeys.find(({ failure }) => failure !== undefined)?.failure,
    }
  })
  yield during(`agent list, first page of ${agent.orders}`, line(times([agent], agentRequest(''))))
  const middle = Math.floor(deployment.size / 2)
  yield during(
    'agent list, a page in the middle',
    line(times([agent], agentRequest(`?cursor=${middle}&limit=100`))),
  )
  const { orders: assigned } = (await (
    await fetch(`${deployment.gatewayUrls[0]}${agentPath}?cursor=${middle}`, { headers: agent.headers })
  ).json()) as AgentOrderPage
  const awb = assigned[0]?.bookings[0]?.awb ?? ''
  const searches = {
    'by airway bill': `?q=${awb}`,
    'by the last digits': `?q=${awb.slice(-4)}`,
    'by a name that many have': '?q=Pilgrim',
    'by a name that none has, one call': '?q=Zaynab',
    'by a city that none goes to, one call': '?city=Atlantis',
  }
  for (const [how, query] of Object.entries(searches))
    yield during(`agent list, search ${how}`, line(times([agent], agentRequest(query))))
  yield during('scrape', line(times([agent], () => ({ method: 'GET', path: '/metrics' }))))

  // A user can be deleted only once, so exports are measured with other users.
  const leavers = frequent.slice(0, Math.max(1, Math.min(rounds, Math.floor(frequent.length / 2))))
  const exporters = frequent.slice(leavers.length, leavers.length + rounds)
  yield during(`export of 20 orders`, line(exporters.map(get(exportUser.path))))
  yield during(
    'deletion of 20 orders',
    line(
      leavers.map(({ headers }) => ({
        method: deleteUser.method,
        path: `${deleteUser.path}?forfeit=1`,
        headers,
      })),
    ),
  )
  yield await expiry(bench, deployment, neighbours)
}

interface Work {
  readonly times: readonly number[]
  readonly failure?: string | undefined
}

/** Measures an operation while other users send requests, and measures those, too. */
function createDuring(bench: Bench, deployment: FilledDeployment, neighbours: readonly Request[]) {
  return async (operation: string, work: () => Promise<Work>): Promise<Measured> => {
    await deployment.vitals()
    await bench.neighbours.ask({
      kind: 'neighbours-start',
      url: deployment.gatewayUrls[0] ?? '',
      requests: neighbours,
      perSecond: neighboursPerSecond,
    } satisfies Job)
    const { times, failure } = await work()
    const felt = await bench.neighbours.ask<NeighboursResult>({ kind: 'neighbours-stop' } satisfies Job)
    const [{ longestDelayMs = Number.NaN } = {}] = await deployment.vitals()
    const failures = [
      ...(failure === undefined ? [] : [failure]),
      ...Object.entries(felt.failures).map(([what, count]) => `${count} neighbours: ${what}`),
    ].join('; ')
    if (failures !== '')
      bench.faults.push(`${deployment.engine}, ${deployment.size} orders, ${operation}: ${failures}`)
    return {
      operation,
      count: times.length,
      median: median(times),
      slowest: summaryOf(times).slowest,
      longestDelay: longestDelayMs,
      slowestNeighbour: felt.summary.slowest,
      ...(failures !== '' && { failure: failures }),
    }
  }
}

/** The step of the last scheduled inquiry. */
function lastStep(): number {
  let step = 0
  while (inquiryDueAt(0, step + 1) !== null) step += 1
  return step
}

/** Many attempts reach their last inquiry at once, and many unpaid orders are old enough to expire. */
async function expiry(
  bench: Bench,
  deployment: FilledDeployment,
  neighbours: readonly Request[],
): Promise<Measured> {
  await deployment.stopGateways()
  const parts = deployment.openDatabase()
  try {
    const startsInMs = 5_000
    const dueAt = Date.now() + startsInMs
    const due = await prepareExpiry(parts, expiring, dueAt, lastStep())
    await deployment.startGateways()
    const during = createDuring(bench, deployment, neighbours)
    return await during(
      `expiry of ${due.orders.length} orders, ${due.attempts.length} last inquiries`,
      async () => {
        await pause(Math.max(0, dueAt - Date.now()))
        const startedAt = performance.now()
        let left = await countDue(parts, due)
        while (left > 0 && performance.now() - startedAt < expiryWithinMs) {
          await pause(100)
          left = await countDue(parts, due)
        }
        return {
          times: [performance.now() - startedAt],
          ...(left > 0 && { failure: `${left} were not expired within ${expiryWithinMs / 1_000} s` }),
        }
      },
    )
  } finally {
    await parts.kysely.destroy()
  }
}

export function scaleTable({ lines, fillSeconds }: ScaleResult): string {
  const quiet = new Map(
    lines
      .filter(({ operation }) => operation === 'quiet')
      .map(({ engine, size, slowestNeighbour }) => [`${engine} ${size}`, slowestNeighbour]),
  )
  const rows = lines.map((line) => [
    line.engine,
    String(line.size),
    line.operation,
    figure(line.median),
    figure(line.slowest),
    figure(line.longestDelay),
    figure(line.slowestNeighbour),
    figure(line.slowestNeighbour - (quiet.get(`${line.engine} ${line.size}`) ?? Number.NaN)),
    line.failure ?? '',
  ])
  const filled = Object.entries(fillSeconds).map(([what, seconds]) => `${what} in ${figure(seconds)} s`)
  return `${tableOf(
    [
      'engine',
      'orders',
      'operation',
      'median ms',
      'slowest ms',
      'event loop stood still ms',
      'slowest neighbour ms',
      'above quiet ms',
      '',
    ],
    rows,
  )}\n\nFilled: ${filled.join(', ')}.`
}
