import { setTimeout as pause } from 'node:timers/promises'
import { inquiryDueAt } from '#server/features/payments/payments.rules.ts'
import { deleteUser, exportUser } from '#shared/account/account.operations.ts'
import { listDeskOrders, readDeskOrder, searchDesk } from '#shared/desk/orders/desk-orders.operations.ts'
import { listAgentOrders, readLabelPdf, readOrder } from '#shared/orders/orders.operations.ts'
import type { AgentOrderPage } from '#shared/orders/orders.schemas.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { askFor, openPool, type Request } from './client.ts'
import { startPostgres } from './deployment.ts'
import { countDue, type DueExpiry, prepareExpiry, readSizes } from './fill.store.ts'
import type { Route } from './journey.ts'
import { inTurn, startArrivals, type Timed, travelMany } from './load.ts'
import type { Options } from './options.ts'
import { countsOf, figure, median, type Result, say, summaryOf, tableOf } from './report.ts'
import {
  checkoutRequest,
  type FilledDeployment,
  listRequest,
  type SignedIn,
  startFilledDeployment,
} from './season.ts'

interface ScaleLine {
  readonly engine: string
  readonly size: number
  readonly operation: string
  readonly median: number
  readonly slowest: number
  readonly longestStop: number
  /** Slowest request of other users meanwhile; the excess over that of `quiet` is the operation's effect. */
  readonly slowestNeighbour: number
  readonly failure: string
}

const neighboursPerSecond = 40
const quietMs = 5_000
const expiring = { attempts: 100, orders: 1_000 }
const expiryWithinMs = 120_000
const startsInMs = 5_000
const readers = 10

export async function runScale({ engines, sizes, rounds }: Options): Promise<Result> {
  const lines: ScaleLine[] = []
  const filled: string[] = []
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    for (const size of sizes) {
      say(`${engine}, ${size} orders`)
      const databaseUrl = await postgres?.createDatabase()
      const deployment = await startFilledDeployment({ databaseUrl, size, users: readers + 2 * rounds })
      filled.push(`${engine} ${size} in ${figure(deployment.fillSeconds)} s; ${await sizesOf(deployment)}`)
      try {
        lines.push(...(await measureAll(deployment, rounds)))
      } finally {
        await deployment.close()
      }
    }
    await postgres?.end()
  }
  const faults = lines
    .filter(({ failure }) => failure !== '')
    .map(({ engine, size, operation, failure }) => `${engine}, ${size} orders, ${operation}: ${failure}`)
  return { table: `${scaleTable(lines)}\n\nFilled:\n${filled.join('\n')}`, numbers: lines, faults }
}

async function sizesOf({ openDatabase, size }: FilledDeployment): Promise<string> {
  const parts = openDatabase()
  const sizes = await readSizes(parts).finally(() => parts.kysely.destroy())
  const each = sizes.map(({ name, bytes }) => `${name} ${Math.round(bytes / size)}`)
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  return `${Math.round(all / size)} bytes an order with indexes (${each.join(', ')})`
}

async function measureAll(deployment: FilledDeployment, rounds: number): Promise<ScaleLine[]> {
  const lines: ScaleLine[] = []
  for (const [operation, work, prepare] of await operationsOf(deployment, rounds)) {
    await prepare?.()
    const line = await measure(deployment, operation, work)
    lines.push(line)
    say(`  ${operation}: median ${figure(line.median)} ms, slowest ${figure(line.slowest)} ms`)
  }
  return lines
}

type Operation = readonly [name: string, work: () => Promise<Timed>, prepare?: () => Promise<void>]

const get = (path: string, { headers }: SignedIn): Request => ({ method: 'GET', path, headers })
const readOf = (user: FilledDeployment['users'][number]) =>
  get(readOrder.path.replace(':id', String(user.orderId)), user)

async function operationsOf(deployment: FilledDeployment, rounds: number): Promise<Operation[]> {
  const { gatewayUrl, users, routes } = deployment
  const asked = (requests: readonly Request[]) => () => inTurn(gatewayUrl, requests)
  const byUsers = (of: (user: (typeof users)[number]) => Request) =>
    asked(
      Array.from({ length: rounds }, (_, index) => of(users[index % users.length] as (typeof users)[number])),
    )
  const travel = async (): Promise<Timed> => {
    const { times, failures } = await travelMany({ ...deployment, from: 0, count: rounds, atOnce: 1 })
    return { times, failure: failures[0] }
  }
  await byUsers(listRequest)()
  await byUsers(readOf)()
  return [
    ['quiet', () => pause(quietMs, { times: [] })],
    ['session check', byUsers((user) => get(readUserSession.path, user))],
    ['order list', byUsers(listRequest)],
    ['order', byUsers(readOf)],
    ['label', byUsers((user) => get(readLabelPdf.path.replace(':awb', user.awb), user))],
    [
      'checkout',
      asked(
        users
          .slice(readers, readers + rounds)
          .map((user, index) => checkoutRequest(user, routes[index % routes.length] as Route)),
      ),
    ],
    ['whole journey', travel],
    ...(await agentOperations(deployment, rounds)),
    ...deskOperations(deployment, rounds),
    ['scrape', asked(Array.from({ length: rounds }, () => ({ method: 'GET', path: '/metrics' })))],
    ...accountOperations(deployment, rounds),
    expiry(deployment),
  ]
}

async function agentOperations(
  { gatewayUrl, agent, size }: FilledDeployment,
  rounds: number,
): Promise<Operation[]> {
  const path = listAgentOrders.path.replace(':agentId', String(agent.id))
  const middle = Math.floor(size / 2)
  const page = await fetch(`${gatewayUrl}${path}?cursor=${middle}`, { headers: agent.headers })
  const { orders } = (await page.json()) as AgentOrderPage
  const awb = orders[0]?.bookings[0]?.awb ?? ''
  const queries = {
    [`first page of ${agent.orders}`]: '',
    'a page in the middle': `?cursor=${middle}&limit=100`,
    'search by airway bill': `?q=${awb}`,
    'search by the last digits': `?q=${awb.slice(-4)}`,
    'search by a name that many have': '?q=Pilgrim',
    'search by a name that none has, one call': '?q=Zaynab',
    'search by a city that none goes to, one call': '?city=Atlantis',
  }
  return Object.entries(queries).map(([what, query]) => [
    `agent list, ${what}`,
    () => inTurn(gatewayUrl, Array<Request>(rounds).fill(get(`${path}${query}`, agent))),
  ])
}

/** Each search by another staff member, because searches are limited. */
function deskOperations({ gatewayUrl, staff, users, size }: FilledDeployment, rounds: number): Operation[] {
  const [{ awb = '', orderId = 1 } = {}] = users
  const by = (index: number) => staff[index % staff.length]?.headers ?? {}
  const queries = {
    'airway bill': awb,
    'last four digits': '1234',
    'three letters that many have': 'Pil',
    'name that one has': `Pilgrim ${Math.floor(size / 4)}`,
    'name that none has': 'Zaynab',
  }
  const searches = Object.entries(queries).map(([what, q], index): Operation => {
    const request = { method: 'POST', path: searchDesk.path, headers: by(index), body: JSON.stringify({ q }) }
    return [`desk search by ${what}`, () => inTurn(gatewayUrl, Array<Request>(rounds).fill(request))]
  })
  const read = (path: string) => () =>
    inTurn(gatewayUrl, Array<Request>(rounds).fill({ method: 'GET', path, headers: by(0) }))
  return [
    ...searches,
    ['desk order', read(readDeskOrder.path.replace(':id', String(orderId)))],
    ['desk list', read(listDeskOrders.path)],
  ]
}

/** A user can be deleted only once, so exports are measured with other users. */
function accountOperations({ gatewayUrl, frequent }: FilledDeployment, rounds: number): Operation[] {
  const count = Math.max(1, Math.min(rounds, Math.floor(frequent.length / 2)))
  const path = `${deleteUser.path}?forfeit=1`
  const exports = frequent.slice(count, 2 * count).map((user) => get(exportUser.path, user))
  const deletions = frequent
    .slice(0, count)
    .map((user) => ({ ...get(path, user), method: deleteUser.method }))
  return [
    ['export of 20 orders', () => inTurn(gatewayUrl, exports)],
    ['deletion of 20 orders', () => inTurn(gatewayUrl, deletions)],
  ]
}

async function measure(
  deployment: FilledDeployment,
  operation: string,
  work: () => Promise<Timed>,
): Promise<ScaleLine> {
  const { engine, size, users, gatewayUrl } = deployment
  const others = users.slice(0, readers).flatMap((user) => [get(readUserSession.path, user), readOf(user)])
  await deployment.longestStop()
  const pool = openPool(gatewayUrl)
  let slowestNeighbour = 0
  const failed: (string | undefined)[] = []
  const endNeighbours = startArrivals(
    () => 1_000 / neighboursPerSecond,
    async (turn, dueAt) => {
      failed.push(await askFor(pool, others[turn % others.length] as Request))
      slowestNeighbour = Math.max(slowestNeighbour, performance.now() - dueAt)
    },
  )
  const { times, failure } = await work()
  await endNeighbours()
  await pool.close()
  const failures = Object.entries(countsOf(failed)).map(([what, count]) => `${count} neighbours: ${what}`)
  return {
    engine,
    size,
    operation,
    median: median(times),
    slowest: summaryOf(times).slowest,
    longestStop: await deployment.longestStop(),
    slowestNeighbour,
    failure: [...(failure === undefined ? [] : [failure]), ...failures].join('; '),
  }
}

function lastStep(): number {
  let step = 0
  while (inquiryDueAt(0, step + 1) !== null) step += 1
  return step
}

/** Many attempts reach their last inquiry at once, and many unpaid orders are old enough to expire. */
function expiry(deployment: FilledDeployment): Operation {
  let dueAt = 0
  let due: DueExpiry
  async function prepare(): Promise<void> {
    await deployment.stopGateways()
    dueAt = Date.now() + startsInMs
    const parts = deployment.openDatabase()
    due = await prepareExpiry(parts, expiring, dueAt, lastStep()).finally(() => parts.kysely.destroy())
    await deployment.startGateways()
  }
  async function work(): Promise<Timed> {
    await pause(Math.max(0, dueAt - Date.now()))
    const parts = deployment.openDatabase()
    const startedAt = performance.now()
    const wait = async () => {
      let left = await countDue(parts, due)
      while (left > 0 && performance.now() - startedAt < expiryWithinMs) {
        await pause(100)
        left = await countDue(parts, due)
      }
      return left
    }
    const left = await wait().finally(() => parts.kysely.destroy())
    return {
      times: [performance.now() - startedAt],
      ...(left > 0 && { failure: `${left} were not expired within ${expiryWithinMs / 1_000} s` }),
    }
  }
  return [`expiry of ${expiring.orders} orders, ${expiring.attempts} last inquiries`, work, prepare]
}

function scaleTable(lines: readonly ScaleLine[]): string {
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
    figure(line.longestStop),
    figure(line.slowestNeighbour),
    figure(line.slowestNeighbour - (quiet.get(`${line.engine} ${line.size}`) ?? Number.NaN)),
    line.failure,
  ])
  const heads = ['engine', 'orders', 'operation', 'median ms', 'slowest ms']
  return tableOf([...heads, 'event loop stood still ms', 'slowest neighbour ms', 'above quiet ms', ''], rows)
}
