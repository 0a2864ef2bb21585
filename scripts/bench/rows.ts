import { performance } from 'node:perf_hooks'
import { brotliCompressSync } from 'node:zlib'
import { listCenters } from '#shared/partner/partner.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { eventually } from '#test/kit/eventually.ts'
import type { FixedAnswer } from './baseline.ts'
import { openPool, type Reply, type Request, send } from './client.ts'
import { journeyRows } from './journeys-row.ts'
import { flood, inTurn } from './load.ts'
import { processorMsOf } from './machine.ts'
import type { Bench, Options } from './options.ts'
import { coldStartOfBaseline, type Program, startBaseline } from './processes.ts'
import { figure, median, type Row, summaryOf } from './report.ts'
import {
  checkoutRequest,
  type FilledDeployment,
  listRequest,
  routesOf,
  startFilledDeployment,
} from './season.ts'

export interface RowsResult {
  readonly rows: readonly Row[]
  readonly faults: readonly string[]
}

const listsPerRound = 40
const checkoutsPerRound = 10

export async function runRows(options: Options, say: (line: string) => void): Promise<RowsResult> {
  const bench: Bench = { options, faults: [], say }
  const [smallest = 0, ...larger] = options.sizes
  const fill = (size: number) =>
    startFilledDeployment(
      { engine: options.engines[0] ?? 'sqlite', size, users: 2 + options.rounds * checkoutsPerRound },
      say,
    )
  const small = await fill(smallest)
  try {
    const session = await floodRow(bench, small, {
      what: 'session check',
      request: { method: 'GET', path: readUserSession.path, headers: small.users[0]?.headers ?? {} },
      floor: 0.4,
      goal: 0.6,
    })
    const centers = await floodRow(bench, small, {
      what: `partner list (${small.lists.centers.length} offices)`,
      request: {
        method: 'GET',
        path: listCenters.path,
        headers: { 'sec-fetch-site': 'same-origin', 'accept-encoding': 'br, gzip' },
      },
      floor: 0.6,
      goal: 0.85,
    })
    const { journeys, resident } = await journeyRows(bench, small)
    const start = await startRow(bench, small)
    const largest = larger.at(-1)
    const stored = largest === undefined ? [] : await storedRows(bench, small, () => fill(largest))
    return { rows: [session, centers, journeys, ...stored, start, resident], faults: bench.faults }
  } finally {
    await small.close()
  }
}

/** Headers that Node sets for every response. */
const ownHeaders = /^(date|connection|keep-alive|transfer-encoding|content-length)$/i

/** The response for the baseline to send: compressed if the gateway sends a large one uncompressed. */
function fixedAnswer(reply: Reply): FixedAnswer {
  const isPacked = reply.headers['content-encoding'] === undefined && reply.body.length > 1_024
  const body = isPacked ? brotliCompressSync(reply.body) : reply.body
  const headers = Object.entries({
    ...reply.headers,
    ...(isPacked && { 'content-encoding': 'br' }),
  }).flatMap(([name, value = '']) =>
    ownHeaders.test(name) ? [] : [value].flat().map((each) => [name, each] as const),
  )
  return {
    headers: [...headers, ['content-length', String(body.length)]],
    body: Buffer.from(body).toString('base64'),
  }
}

/** The first request may fail on a busy machine. */
async function firstReply(url: string, request: Request): Promise<Reply> {
  const pool = openPool(url)
  const reply = await eventually(
    async () => {
      const answer = await send(pool, request)
      return answer.status === 200 ? answer : undefined
    },
    { withinMs: 30_000, everyMs: 500 },
  )
  await pool.close()
  return reply
}

interface Side {
  readonly program: Program
  readonly url: string
  readonly perSecond: number[]
  /** Microseconds of processor time per request, which hardly depends on other load of the machine. */
  readonly processorUs: number[]
}

/** Requests per second of the gateway and of a bare server that sends the same bytes, in turn. */
async function floodRow(
  { options, faults, say }: Bench,
  deployment: FilledDeployment,
  { what, request, floor, goal }: { what: string; request: Request; floor: number; goal: number },
): Promise<Row> {
  const [url = ''] = deployment.gatewayUrls
  const reply = await firstReply(url, request)
  const fixed = fixedAnswer(reply)
  const bare = await startBaseline(fixed)
  const sideOf = (program: Program, address: string): Side => ({
    ...{ program, url: address },
    ...{ perSecond: [], processorUs: [] },
  })
  const gateway = sideOf(deployment.gateways()[0] as Program, url)
  const baseline = sideOf(bare, bare.url)
  let busiest = 0
  const measure = async ({ program, url: target, perSecond, processorUs }: Side) => {
    const before = processorMsOf(program.pid)
    const used = performance.eventLoopUtilization()
    const result = await flood(target, request, options.seconds)
    busiest = Math.max(busiest, performance.eventLoopUtilization(used).utilization)
    if (result.failed > 0) faults.push(`${what}: ${result.failed} requests failed`)
    perSecond.push(result.perSecond)
    processorUs.push(((processorMsOf(program.pid) - before) * 1_000) / result.answered)
  }
  try {
    await flood(gateway.url, request, 1)
    await flood(baseline.url, request, 1)
    for (let round = 1; round <= options.rounds; round += 1) {
      await measure(gateway)
      await measure(baseline)
      const last = [gateway, baseline].map(({ perSecond }) => figure(perSecond.at(-1) ?? 0))
      say(`  ${what}, round ${round}: ${last.join(' against ')} requests/s`)
    }
  } finally {
    await bare.end()
  }
  const ours = median(gateway.perSecond)
  const theirs = median(baseline.perSecond)
  const processor = median(baseline.processorUs) / median(gateway.processorUs)
  const limited = busiest > 0.95 ? '; the generator was at its limit: the true ratio is lower' : ''
  return {
    what,
    unit: 'requests/s',
    gateway: ours,
    baseline: theirs,
    baselineIs: 'bare node:http, same bytes',
    measure: ours / theirs,
    floor,
    goal,
    isMoreBetter: true,
    note: `processor time ${figure(processor)}; ${reply.body.length} bytes sent, ${Buffer.from(fixed.body, 'base64').length} by the baseline${limited}`,
  }
}

/** Order list and checkout with many stored orders against the same with few, in turn. */
async function storedRows(
  { options, faults }: Bench,
  small: FilledDeployment,
  fillLarge: () => Promise<FilledDeployment>,
): Promise<Row[]> {
  const large = await fillLarge()
  const sides = [small, large].map((deployment) => ({
    deployment,
    list: [] as number[],
    checkout: [] as number[],
  }))
  const ask = async ({ gatewayUrls: [url = ''] }: FilledDeployment, requests: readonly Request[]) => {
    const { times, failure } = await inTurn(url, requests)
    if (failure !== undefined) faults.push(failure)
    return times
  }
  const lists = ({ users }: FilledDeployment, from: number) =>
    Array.from({ length: listsPerRound }, (_, index) => users[(from + index) % users.length])
      .filter((user) => user !== undefined)
      .map(listRequest)
  /** Each user buys once, because unpaid orders per user are limited. */
  const checkouts = ({ users, lists }: FilledDeployment, round: number) => {
    const routes = routesOf(lists)
    return users
      .slice(round * checkoutsPerRound, (round + 1) * checkoutsPerRound)
      .map((user, index) => checkoutRequest(user, routes[index % routes.length] as (typeof routes)[number]))
  }
  try {
    for (const { deployment } of sides) await ask(deployment, lists(deployment, 0))
    for (let round = 0; round < options.rounds; round += 1)
      for (const { deployment, list, checkout } of sides) {
        list.push(...(await ask(deployment, lists(deployment, round * listsPerRound))))
        checkout.push(...(await ask(deployment, checkouts(deployment, round))))
      }
  } finally {
    await large.close()
  }
  return (['list', 'checkout'] as const).map((key): Row => {
    const [few = [], many = []] = sides.map((side) => side[key])
    return {
      what: `${key === 'list' ? 'order list' : 'checkout'} at ${large.size} orders`,
      unit: 'ms',
      gateway: median(many),
      baseline: median(few),
      baselineIs: `at ${small.size} orders`,
      measure: median(many) / median(few),
      floor: 1.5,
      goal: 1.1,
      isMoreBetter: false,
      note: `slowest ${figure(summaryOf(many).slowest)} against ${figure(summaryOf(few).slowest)} ms`,
    }
  })
}

/** From the start of the process until `/readyz` answers 200, with an existing database. */
async function startRow({ options, say }: Bench, deployment: FilledDeployment): Promise<Row> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    await deployment.stopGateways()
    ours.push((await deployment.startGateways()) / 1_000)
    bare.push((await coldStartOfBaseline()) / 1_000)
    say(`  cold start, round ${round}: ${figure(ours.at(-1) ?? 0)} against ${figure(bare.at(-1) ?? 0)} s`)
  }
  return {
    what: 'cold start until ready',
    unit: 's',
    gateway: median(ours),
    baseline: median(bare),
    baselineIs: 'bare node:http',
    measure: median(ours),
    floor: 1.5,
    goal: 0.7,
    isMoreBetter: false,
    note: 'database present and migrated',
  }
}
