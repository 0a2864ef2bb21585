import { performance } from 'node:perf_hooks'
import { listCenters } from '#shared/partner/partner.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { openPool, type Request, send } from './client.ts'
import { type Deployment, fixedAnswer, startBaseline, startPostgres } from './deployment.ts'
import { newPromised, type Route } from './journey.ts'
import { flood, inTurn, type Traveller, travelMany } from './load.ts'
import { processorMsOf, residentMbOf } from './machine.ts'
import { startOrderAudit } from './order-audit.ts'
import { figure, median, type Options, type Result, say, summaryOf } from './report.ts'
import { checkoutRequest, getAs, listRequest, type Season, startSeason } from './season.store.ts'

/** @param goal above the floor when more is better; `measure` is compared with both */
function line(
  what: string,
  { gateway, baseline, unit }: { readonly gateway: number; readonly baseline: number; readonly unit: string },
  measure: number,
  [floor, goal]: readonly [floor: number, goal: number],
  note: string,
) {
  const isReached = (mark: number) => (goal > floor ? measure >= mark : measure <= mark)
  const reached = isReached(goal) ? 'goal' : isReached(floor) ? 'floor' : 'below'
  return { what, gateway, baseline, unit, measure, floor, goal, reached, note }
}
type Line = ReturnType<typeof line>

interface Run {
  readonly options: Options
  readonly faults: string[]
}

/** Orders of the small database, which pilgrims make; the large one holds copies of as many. */
const fewOrders = 1_000
const listsPerRound = 40
const checkoutsPerRound = 10
const journeysAtOnce = 24
const settledWithinMs = 60_000

export async function runRows(options: Options): Promise<Result> {
  const postgres = options.engines.includes('postgres') ? await startPostgres() : undefined
  const fill = async (copies: number) =>
    startSeason({ databaseUrl: await postgres?.createDatabase(), people: fewOrders, copies })
  const run: Run = { options, faults: [] }
  const small = await fill(0)
  try {
    const [first] = small.people
    if (first === undefined) throw new Error('the season is empty')
    const lines = [
      await floodRow(run, small, {
        what: 'session check',
        request: getAs(first, readUserSession.path),
        marks: [0.4, 0.6],
      }),
      await floodRow(run, small, {
        what: `partner list (${small.lists.centers.length} offices)`,
        request: {
          method: 'GET',
          path: listCenters.path,
          headers: { 'sec-fetch-site': 'same-origin', 'accept-encoding': 'br, gzip' },
        },
        marks: [0.6, 0.85],
      }),
      ...(await journeyRows(run, small)),
      await startRow(run, small),
      ...(await storedRows(run, small, () => fill(Math.round(options.orders / fewOrders) - 1))),
    ]
    return { lines, faults: run.faults }
  } finally {
    await small.close()
    await postgres?.end()
  }
}

interface Side {
  readonly url: string
  readonly pid: number
  readonly perSecond: number[]
  readonly processorUs: number[]
}

const gatewayPid = (deployment: Deployment) => deployment.programs()[1]?.pid ?? 0

/** Requests per second of the gateway and of a bare server that sends the same bytes, in turn. */
async function floodRow(
  { options, faults }: Run,
  deployment: Season,
  { what, request, marks }: { what: string; request: Request; marks: readonly [number, number] },
): Promise<Line> {
  const pool = openPool(deployment.gatewayUrl)
  const reply = await send(pool, request)
  await pool.close()
  if (reply.status !== 200) throw new Error(`${what} answered ${reply.status}`)
  const fixed = fixedAnswer(reply)
  const bare = await startBaseline(fixed)
  const sideOf = (url: string, pid: number): Side => ({ url, pid, perSecond: [], processorUs: [] })
  const gateway = sideOf(deployment.gatewayUrl, gatewayPid(deployment))
  const baseline = sideOf(bare.url, bare.pid)
  let busiest = 0
  const measure = async (side: Side) => {
    const used = performance.eventLoopUtilization()
    const before = processorMsOf(side.pid)
    const result = await flood(side.url, request, options.seconds)
    side.processorUs.push(((processorMsOf(side.pid) - before) * 1_000) / result.answered)
    busiest = Math.max(busiest, performance.eventLoopUtilization(used).utilization)
    if (result.failed > 0) faults.push(`${what}: ${result.failed} requests failed`)
    side.perSecond.push(result.perSecond)
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
  return line(
    what,
    { gateway: ours, baseline: theirs, unit: 'requests/s' },
    ours / theirs,
    marks,
    `bare node:http with the same bytes; processor time ${figure(processor)}; ${reply.body.length} bytes sent, ${Buffer.from(fixed.body, 'base64').length} by the baseline${limited}`,
  )
}

async function journeyRows({ options, faults }: Run, deployment: Season): Promise<Line[]> {
  const orderAudit = await startOrderAudit(deployment)
  const baseline = await startBaseline()
  const programs = deployment.programs()
  const processorMs = () => programs.map(({ pid }) => processorMsOf(pid))
  const perRound = Math.ceil(options.journeys / options.rounds)
  const promised = newPromised()
  const times: number[] = []
  const failures: string[] = []
  const perSecond: number[] = []
  const bare: number[] = []
  const before = processorMs()
  for (let round = 0; round < options.rounds; round += 1) {
    const travelled = await travelMany({
      ...deployment,
      promised,
      from: fewOrders + round * perRound,
      count: perRound,
      atOnce: journeysAtOnce,
    })
    times.push(...travelled.times)
    failures.push(...travelled.failures)
    perSecond.push(travelled.times.length / travelled.seconds)
    const seconds = Math.min(2, options.seconds)
    bare.push((await flood(baseline.url, { method: 'GET', path: '/' }, seconds)).perSecond)
    say(`  whole journeys, round ${round + 1}: ${figure(perSecond.at(-1) ?? 0)}/s of ${perRound}`)
  }
  const spent = processorMs().map((ms, index) => (ms - (before[index] ?? 0)) / promised.checkouts)
  const residentMb = residentMbOf(gatewayPid(deployment))
  const bareMb = residentMbOf(baseline.pid)
  await baseline.end()
  if (failures[0]) faults.push(`${failures.length} journeys did not end: ${failures[0]}`)
  const { lost, double, orders } = await orderAudit.finish(promised, settledWithinMs)
  faults.push(...lost.slice(0, 5), ...double.slice(0, 5))
  const latency = summaryOf(times)
  const spentBy = programs.map(({ name }, index) => `${name} ${figure(spent[index] ?? Number.NaN)} ms`)
  const rate = median(perSecond)
  return [
    line(
      `whole journeys (${times.length})`,
      { gateway: rate, baseline: median(bare), unit: 'journeys/s' },
      rate,
      [40, 120],
      `requests/s of a bare node:http; ${lost.length} lost, ${double.length} double of ${orders}; median ${figure(latency.median)} ms, slowest ${figure(latency.slowest)} ms; processor per journey: ${spentBy.join(', ')}`,
    ),
    line(
      `resident memory after ${times.length} journeys`,
      { gateway: residentMb, baseline: bareMb, unit: 'MB' },
      residentMb,
      [250, 150],
      'a bare node:http',
    ),
  ]
}

/** Order list and checkout with many stored orders and with few, in turn. */
async function storedRows(
  { options, faults }: Run,
  small: Season,
  fillLarge: () => Promise<Season>,
): Promise<Line[]> {
  const large = await fillLarge()
  const ask = async ({ gatewayUrl }: Season, requests: readonly Request[]) => {
    const { times, failure } = await inTurn(gatewayUrl, requests)
    if (failure !== undefined) faults.push(failure)
    return times
  }
  const some = ({ people }: Season, round: number, count: number): Traveller[] =>
    people.slice((round * count) % (people.length - count)).slice(0, count)
  const askLists = (season: Season, round: number) =>
    ask(season, some(season, round, listsPerRound).map(listRequest))
  /** Each user buys once, because unpaid orders per user are limited. */
  const askCheckouts = (season: Season, round: number) =>
    ask(
      season,
      some(season, round, checkoutsPerRound).map((person, index) =>
        checkoutRequest(person, season.routes[index % season.routes.length] as Route),
      ),
    )
  const sides = [small, large].map((deployment) => ({
    deployment,
    list: [] as number[],
    checkout: [] as number[],
  }))
  try {
    for (const { deployment } of sides) await askLists(deployment, 0)
    for (let round = 0; round < options.rounds; round += 1)
      for (const { deployment, list, checkout } of sides) {
        list.push(...(await askLists(deployment, round)))
        checkout.push(...(await askCheckouts(deployment, round)))
      }
  } finally {
    await large.close()
  }
  return (['list', 'checkout'] as const).map((key) => {
    const [few = [], many = []] = sides.map((side) => side[key])
    return line(
      `${key === 'list' ? 'order list' : 'checkout'} at ${options.orders} orders`,
      { gateway: median(many), baseline: median(few), unit: 'ms' },
      median(many) / median(few),
      [1.5, 1.1],
      `at ${fewOrders} orders; slowest ${figure(summaryOf(many).slowest)} and ${figure(summaryOf(few).slowest)} ms`,
    )
  })
}

async function startRow({ options }: Run, deployment: Season): Promise<Line> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    await deployment.stopGateways()
    ours.push((await deployment.startGateways()) / 1_000)
    const startedAt = performance.now()
    const baseline = await startBaseline()
    await (await fetch(baseline.url)).arrayBuffer()
    bare.push((performance.now() - startedAt) / 1_000)
    await baseline.end()
    say(`  cold start, round ${round}: ${figure(ours.at(-1) ?? 0)} against ${figure(bare.at(-1) ?? 0)} s`)
  }
  return line(
    'cold start until ready',
    { gateway: median(ours), baseline: median(bare), unit: 's' },
    median(ours),
    [1.5, 0.7],
    'a bare node:http; database present and migrated',
  )
}
