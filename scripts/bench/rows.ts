import { performance } from 'node:perf_hooks'
import { listCenters } from '#shared/partner/partner.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { eventually } from '#test/kit/eventually.ts'
import { openPool, type Reply, type Request, send } from './client.ts'
import { fixedAnswer, startBaseline, startPostgres } from './deployment.ts'
import { newPromised, type Route } from './journey.ts'
import { flood, floodProcess, inTurn, travelMany } from './load.ts'
import { processorMsOf, residentMbOf } from './machine.ts'
import type { Options } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import { figure, median, type Result, type Row, rowsTable, say, summaryOf } from './report.ts'
import { checkoutRequest, type FilledDeployment, listRequest, startFilledDeployment } from './season.ts'

export const sessionRequest = ({ users }: FilledDeployment): Request => ({
  method: 'GET',
  path: readUserSession.path,
  headers: users[0]?.headers ?? {},
})

export const centersRequest: Request = {
  method: 'GET',
  path: listCenters.path,
  headers: { 'sec-fetch-site': 'same-origin', 'accept-encoding': 'br, gzip' },
}

interface Run {
  readonly options: Options
  readonly faults: string[]
}

const listsPerRound = 40
const checkoutsPerRound = 10
const journeysAtOnce = 24
const settledWithinMs = 60_000

export async function runRows(options: Options): Promise<Result> {
  const [smallest = 0, ...larger] = options.sizes
  const largest = larger.at(-1)
  const postgres = options.engines.includes('postgres') ? await startPostgres() : undefined
  const fill = async (size: number) =>
    startFilledDeployment({
      databaseUrl: await postgres?.createDatabase(),
      size,
      users: 2 + options.rounds * checkoutsPerRound,
    })
  const run: Run = { options, faults: [] }
  const small = await fill(smallest)
  try {
    const rows = [
      await floodRow(run, small, {
        what: 'session check',
        request: sessionRequest(small),
        floor: 0.4,
        goal: 0.6,
      }),
      await floodRow(run, small, {
        what: `partner list (${small.lists.centers.length} offices)`,
        request: centersRequest,
        floor: 0.6,
        goal: 0.85,
      }),
      ...(await journeyRows(run, small)),
      await startRow(run, small),
      ...(largest === undefined ? [] : await storedRows(run, small, () => fill(largest))),
    ]
    return { table: rowsTable(rows), numbers: rows, faults: run.faults }
  } finally {
    await small.close()
    await postgres?.end()
  }
}

export async function firstReply(url: string, request: Request): Promise<Reply> {
  const pool = openPool(url)
  const reply = await eventually(async () => {
    const answer = await send(pool, request)
    return answer.status === 200 ? answer : undefined
  })
  await pool.close()
  return reply
}

interface Side {
  readonly url: string
  readonly pid: number
  readonly perSecond: number[]
  readonly processorUs: number[]
}

export const gatewayPid = (deployment: FilledDeployment) => deployment.programs()[1]?.pid ?? 0

/** Requests per second of the gateway and of a bare server that sends the same bytes, in turn. */
async function floodRow(
  { options, faults }: Run,
  deployment: FilledDeployment,
  { what, request, floor, goal }: { what: string; request: Request; floor: number; goal: number },
): Promise<Row> {
  const reply = await firstReply(deployment.gatewayUrl, request)
  const fixed = fixedAnswer(reply)
  const bare = await startBaseline(fixed)
  const sideOf = (url: string, pid: number): Side => ({ url, pid, perSecond: [], processorUs: [] })
  const gateway = sideOf(deployment.gatewayUrl, gatewayPid(deployment))
  const baseline = sideOf(bare.url, bare.pid)
  let busiest = 0
  const measure = async (side: Side) => {
    const used = performance.eventLoopUtilization()
    const result = await floodProcess(side, request, options.seconds)
    busiest = Math.max(busiest, performance.eventLoopUtilization(used).utilization)
    if (result.failed > 0) faults.push(`${what}: ${result.failed} requests failed`)
    side.perSecond.push(result.perSecond)
    side.processorUs.push(result.processorUs)
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
    note: `processor time ${figure(processor)}; ${reply.body.length} bytes sent, ${Buffer.from(fixed.body, 'base64').length} by the baseline${limited}`,
  }
}

async function journeyRows({ options, faults }: Run, deployment: FilledDeployment): Promise<Row[]> {
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
      from: round * perRound,
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
  return [
    {
      what: `whole journeys (${times.length})`,
      unit: 'journeys/s',
      gateway: median(perSecond),
      baseline: median(bare),
      baselineIs: 'bare node:http, requests/s',
      measure: median(perSecond),
      floor: 40,
      goal: 120,
      note: `${lost.length} lost, ${double.length} double of ${orders}; median ${figure(latency.median)} ms, slowest ${figure(latency.slowest)} ms; processor per journey: ${spentBy.join(', ')}`,
    },
    {
      what: `resident memory after ${times.length} journeys`,
      unit: 'MB',
      gateway: residentMb,
      baseline: bareMb,
      baselineIs: 'bare node:http',
      measure: residentMb,
      floor: 250,
      goal: 150,
      note: '',
    },
  ]
}

/** Order list and checkout with many stored orders and with few, in turn. */
async function storedRows(
  { options, faults }: Run,
  small: FilledDeployment,
  fillLarge: () => Promise<FilledDeployment>,
): Promise<Row[]> {
  const large = await fillLarge()
  const ask = async ({ gatewayUrl }: FilledDeployment, requests: readonly Request[]) => {
    const { times, failure } = await inTurn(gatewayUrl, requests)
    if (failure !== undefined) faults.push(failure)
    return times
  }
  const askLists = (deployment: FilledDeployment, round: number) => {
    const { users } = deployment
    const from = round * listsPerRound
    const asking = Array.from({ length: listsPerRound }, (_, index) => users[(from + index) % users.length])
    return ask(deployment, asking.filter((user) => user !== undefined).map(listRequest))
  }
  /** Each user buys once, because unpaid orders per user are limited. */
  const askCheckouts = (deployment: FilledDeployment, round: number) => {
    const { users, routes } = deployment
    const buying = users.slice(round * checkoutsPerRound, (round + 1) * checkoutsPerRound)
    return ask(
      deployment,
      buying.map((user, index) => checkoutRequest(user, routes[index % routes.length] as Route)),
    )
  }
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
      note: `slowest ${figure(summaryOf(many).slowest)} against ${figure(summaryOf(few).slowest)} ms`,
    }
  })
}

async function startRow({ options }: Run, deployment: FilledDeployment): Promise<Row> {
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
  return {
    what: 'cold start until ready',
    unit: 's',
    gateway: median(ours),
    baseline: median(bare),
    baselineIs: 'bare node:http',
    measure: median(ours),
    floor: 1.5,
    goal: 0.7,
    note: 'database present and migrated',
  }
}
