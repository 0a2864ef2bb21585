import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import type { Engine } from '#server/platform/database/database.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { createRandom, type Random } from '#test/kit/random.ts'
import { openBrowser, openPool, type Sample } from './client.ts'
import { type Deployment, startDeployment, startPostgres } from './deployment.ts'
import { newPromised, phoneOf, type Route } from './journey.ts'
import type { Promised } from './ledger.ts'
import { startArrivals, travelMany } from './load.ts'
import { processorMsOf } from './machine.ts'
import type { Options } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import { countsOf, figure, type Result, type Summary, say, summaryOf, tableOf } from './report.ts'
import { routesOf } from './season.ts'
import { browse, buy, collect, pacing, type SignedInAgent, signInAgent } from './visits.ts'

const plannedOrdersPerSecond = 5.4
/** The promised p95 at the peak (docs/performance.md). */
const allowedP95Ms = 300
/** A level is stopped after this many failures or unanswered requests. */
const mostFailures = 300
const mostPending = 4_000
const drainMs = 150_000
const settledWithinMs = 180_000
const peoplePerLevel = 1_000_000
const warmUp = { from: 50 * peoplePerLevel, journeys: 20 }
const mostAgents = 20
/** An agent's phones take turns: one session may search 30 times a minute, and eight times the plan needs 130. */
const phonesPerAgent = 8

export const stages = {
  sqlite: { name: 'one gateway on SQLite', gateways: 1 },
  postgres: { name: 'two gateways on PostgreSQL', gateways: 2 },
} as const

interface Level {
  readonly stage: string
  readonly factor: number
  readonly requests: number
  readonly arrivalSeconds: number
  readonly times: Summary
  readonly byOperation: readonly { readonly operation: string; readonly p95: number }[]
  readonly failures: Readonly<Record<string, number>>
  readonly broken: string | undefined
  readonly orders: number
  readonly lost: readonly string[]
  readonly double: readonly string[]
  /** From the last visit until every paid booking has its airway bill and label. */
  readonly settledSeconds: number
  readonly processors: Readonly<Record<string, number>>
  /**
   * Share of the time in which this process was busy. Above 0.9 the numbers describe this process, not the
   * gateway.
   */
  readonly generatorBusy: number
}

export async function runDay(options: Options): Promise<Result> {
  const levels: Level[] = []
  for (const engine of options.engines) levels.push(...(await playStage(engine, options)))
  const faults = levels.flatMap(({ stage, factor, lost, double }) =>
    [...lost.slice(0, 3), ...double.slice(0, 3)].map((each) => `${stage}, ${factor} times: ${each}`),
  )
  return { table: dayTable(levels), numbers: levels, faults }
}

/** Doubles the load until a level breaks. */
async function playStage(engine: Engine, { most, seconds }: Options): Promise<Level[]> {
  const { name, gateways } = stages[engine]
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const deployment = await startDeployment({ gateways, databaseUrl: await postgres?.createDatabase() })
  const levels: Level[] = []
  try {
    await warmUpGateways(deployment)
    const people = await openPeople(deployment)
    for (let factor = 1; factor <= most; factor *= 2) {
      const from = levels.length * peoplePerLevel
      const level = await playLevel(deployment, people, { stage: name, factor, seconds, from })
      levels.push(level)
      say(`  ${sentenceOf(level)}`)
      if (level.broken !== undefined) break
    }
    await people.close()
  } finally {
    await deployment.close()
    await postgres?.end()
  }
  return levels
}

/** A new process is slow for its first requests, and the peak is not its first minute. */
export async function warmUpGateways({ gatewayUrls, control, lists }: Deployment): Promise<void> {
  for (const [index, gatewayUrl] of gatewayUrls.entries())
    await travelMany({
      gatewayUrl,
      control,
      routes: routesOf(lists),
      from: warmUp.from + index * warmUp.journeys,
      count: warmUp.journeys,
      atOnce: 4,
    })
}

interface People {
  readonly pools: readonly Pool[]
  readonly routes: readonly [Route, ...Route[]]
  readonly agents: ReadonlyMap<string, readonly SignedInAgent[]>
  readonly random: Random
  observe: (sample: Sample) => void
  close(): Promise<void>
}

async function openPeople({ gatewayUrls, control, lists }: Deployment): Promise<People> {
  const random = createRandom(1)
  const agents = new Map<string, SignedInAgent[]>()
  const codes = lists.agents.slice(0, mostAgents).map(({ id }) => id)
  const routes = lists.centers
    .slice(0, 2 * mostAgents)
    .map(({ code }, index) => ({ agentCode: codes[index % codes.length] ?? '', centerCode: code }))
  const people: People = {
    pools: gatewayUrls.map(openPool),
    routes: routes as [Route],
    agents,
    random,
    observe: () => undefined,
    close: async () => void (await Promise.all(people.pools.map((pool) => pool.destroy()))),
  }
  for (const { id, phone } of lists.agents.slice(0, mostAgents)) {
    const own: SignedInAgent[] = []
    for (let count = 0; count < phonesPerAgent; count += 1) {
      const browser = pacing(
        openBrowser(people.pools, (sample) => people.observe(sample)),
        random,
      )
      own.push(await signInAgent({ browser, control, phone: canonicalPhone(phone) ?? phone }))
    }
    agents.set(id, own)
  }
  return people
}

interface LevelOptions {
  readonly stage: string
  readonly factor: number
  readonly seconds: number
  readonly from: number
}

async function playLevel(
  deployment: Deployment,
  people: People,
  { stage, factor, seconds, from }: LevelOptions,
): Promise<Level> {
  const orderAudit = await startOrderAudit(deployment)
  const programs = [...deployment.programs(), { name: 'generator', pid: process.pid }].map((each) => ({
    ...each,
    beforeMs: processorMsOf(each.pid),
  }))
  const used = performance.eventLoopUtilization()
  const startedAt = performance.now()
  const samples: Sample[] = []
  let failed = 0
  people.observe = (sample) => {
    samples.push(sample)
    if (sample.failure !== undefined) failed += 1
  }
  const isOverrun = () =>
    failed >= mostFailures || people.pools.reduce((sum, { stats }) => sum + stats.size, 0) >= mostPending

  const visits = openVisits(deployment, people, from)
  const random = createRandom(factor)
  /** `1 - next()` is never 0, whose logarithm is infinite. */
  const poisson = (perSecond: number) => () => (-Math.log(1 - random.next()) * 1_000) / perSecond
  const perSecond = plannedOrdersPerSecond * factor
  const arrivals = [
    startArrivals(poisson(perSecond), visits.buyAndCollect),
    startArrivals(poisson(2 * perSecond), visits.browse),
  ]
  const elapsed = () => (performance.now() - startedAt) / 1_000
  while (elapsed() < seconds && !isOverrun()) await pause(100)
  const arrivalSeconds = elapsed()
  const isStopped = isOverrun()
  const ends = Promise.all(arrivals.map((end) => end()))
  await Promise.race([ends, pause(drainMs, undefined, { ref: false })])
  people.observe = () => undefined

  const tookMs = performance.now() - startedAt
  const processors = Object.fromEntries(
    programs.map(({ name, pid, beforeMs }) => [name, (processorMsOf(pid) - beforeMs) / tookMs]),
  )
  const generatorBusy = performance.eventLoopUtilization(used).utilization
  const times = summaryOf(samples.map(({ ms }) => ms))
  const byOperation = [...Map.groupBy(samples, ({ operation }) => operation)]
    .map(([operation, own]) => ({ operation, p95: summaryOf(own.map(({ ms }) => ms)).p95 }))
    .sort((a, b) => b.p95 - a.p95)
  const firstFailed = samples.find(({ failure }) => failure !== undefined)
  const [slowest] = byOperation
  const unfinished = visits.unfinished()
  let broken: string | undefined
  if (firstFailed) broken = `${firstFailed.operation}: ${firstFailed.failure}`
  else if (!(times.p95 < allowedP95Ms)) broken = `${slowest?.operation}: p95 ${figure(slowest?.p95 ?? 0)} ms`
  else if (unfinished.length > 0)
    broken = `${unfinished.length} visits did not come to their end: ${unfinished[0]}`
  else if (isStopped) broken = 'too many requests without an answer'
  return {
    stage,
    factor,
    requests: samples.length,
    arrivalSeconds,
    times,
    byOperation,
    broken,
    failures: countsOf(samples.map(({ failure }) => failure)),
    processors,
    generatorBusy,
    ...(await orderAudit.finish(visits.promised, settledWithinMs)),
  }
}

function openVisits({ control }: Deployment, people: People, firstPhone: number) {
  const { random, pools, routes, agents } = people
  const promised: Promised = newPromised()
  const failures: string[] = []
  let begun = 0
  let ended = 0
  const newVisitor = () => ({
    browser: pacing(
      openBrowser(pools, (sample) => people.observe(sample)),
      random,
    ),
    control,
    phone: phoneOf(firstPhone + begun),
  })
  const visit = (work: (visitor: ReturnType<typeof newVisitor>) => Promise<void>) => async () => {
    const visitor = newVisitor()
    begun += 1
    await work(visitor).catch((error: Error) => failures.push(error.message))
    ended += 1
  }
  return {
    promised,
    browse: visit(browse),
    buyAndCollect: visit(async (visitor) => {
      const route = random.pick(routes)
      const bought = await buy(visitor, route, promised)
      const own = agents.get(route.agentCode) ?? []
      const agent = own[bought.orderId % own.length]
      if (agent) await collect(agent, bought)
    }),
    unfinished: () => [...failures, ...Array<string>(begun - ended).fill('still under way when time was up')],
  }
}

function sentenceOf({ stage, factor, broken, lost, double, orders, times }: Level): string {
  const how = broken === undefined ? 'held' : `broke (${broken})`
  return `${stage}, ${factor} times: ${how}, ${orders} orders, p95 ${figure(times.p95)} ms, ${lost.length} lost, ${double.length} double`
}

const columns: readonly (readonly [head: string, cell: (level: Level) => string])[] = [
  ['stage', ({ stage }) => stage],
  ['load', ({ factor }) => `${factor} ×`],
  ['orders/s', ({ orders, arrivalSeconds }) => figure(orders / arrivalSeconds)],
  ['requests/s', ({ requests, arrivalSeconds }) => figure(requests / arrivalSeconds)],
  ['median ms', ({ times }) => figure(times.median)],
  ['p95 ms', ({ times }) => figure(times.p95)],
  ['p99 ms', ({ times }) => figure(times.p99)],
  ['slowest ms', ({ times }) => figure(times.slowest)],
  ['failed', ({ failures }) => String(Object.values(failures).reduce((sum, count) => sum + count, 0))],
  ['lost', ({ lost }) => String(lost.length)],
  ['double', ({ double }) => String(double.length)],
  ['outcome', ({ broken }) => (broken === undefined ? 'held' : `broke: ${broken}`)],
]

function dayTable(levels: readonly Level[]): string {
  const table = tableOf(
    columns.map(([head]) => head),
    levels.map((level) => columns.map(([, cell]) => cell(level))),
  )
  const used = levels.map(({ stage, factor, processors, generatorBusy, settledSeconds, byOperation }) => {
    const shares = Object.entries(processors).map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
    const limit = generatorBusy > 0.9 ? ' (the generator was at its limit)' : ''
    const slowest = byOperation.slice(0, 4).map(({ operation, p95 }) => `${operation} ${figure(p95)} ms`)
    return `${stage}, ${factor} times: ${shares.join(', ')} of a core${limit}; slowest (p95): ${slowest.join(', ')}; all bags had their label ${figure(settledSeconds)} s after the last visit.`
  })
  return `${table}\n\n${used.join('\n')}`
}
