import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import type { Engine } from '#server/platform/database/database.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { createRandom, type Random } from '#test/kit/basics/random.ts'
import { openBrowser, openPool, type Sample } from './client.ts'
import { type Deployment, startDeployment, startPostgres } from './deployment.ts'
import { newPromised, phoneOf, type Route, routesOf } from './journey.ts'
import type { Promised } from './ledger.ts'
import { startArrivals, travelMany } from './load.ts'
import { processorMsOf } from './machine.ts'
import { startOrderAudit } from './order-audit.ts'
import { countsOf, figure, type Options, type Result, say, summaryOf } from './report.ts'
import { browse, buy, collect, pacing, report, type SignedInAgent, signInAgent } from './visits.ts'

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

export async function runDay(options: Options): Promise<Result> {
  const levels: Level[] = []
  for (const engine of options.engines) levels.push(...(await playStage(engine, options)))
  return {
    lines: levels.map(({ line }) => line),
    faults: levels.flatMap(({ line, lost, double }) =>
      [...lost.slice(0, 3), ...double.slice(0, 3)].map((each) => `${line.stage}, ${line.load}: ${each}`),
    ),
    details: levels,
  }
}

type Level = Awaited<ReturnType<typeof playLevel>>

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
      say(`  ${name}, ${level.line.load}: ${level.line.outcome}, p95 ${figure(level.line['p95 ms'])} ms`)
      if (level.isBroken) break
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
  /** City of each branch. */
  readonly cities: ReadonlyMap<string, string>
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
    cities: new Map(lists.centers.map(({ code, city }) => [code, city])),
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
) {
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
  const shares = programs.map(
    ({ name, pid, beforeMs }) => `${name} ${Math.round(((processorMsOf(pid) - beforeMs) / tookMs) * 100)} %`,
  )
  const generatorBusy = performance.eventLoopUtilization(used).utilization
  const { lost, double, orders, settledSeconds } = await orderAudit.finish(visits.promised, settledWithinMs)
  const times = summaryOf(samples.map(({ ms }) => ms))
  const slowest = [...Map.groupBy(samples, ({ operation }) => operation)]
    .map(([operation, own]) => ({ operation, p95: summaryOf(own.map(({ ms }) => ms)).p95 }))
    .sort((a, b) => b.p95 - a.p95)
    .slice(0, 4)
  const failures = countsOf(samples.map(({ failure }) => failure))
  const unfinished = visits.unfinished()
  const broken = [
    ...samples.flatMap(({ operation, failure }) =>
      failure === undefined ? [] : [`${operation}: ${failure}`],
    ),
    ...(times.p95 < allowedP95Ms ? [] : [`p95 of ${slowest[0]?.operation}`]),
    ...unfinished.map((why) => `${unfinished.length} visits did not come to their end: ${why}`),
    ...(isStopped ? ['too many requests without an answer'] : []),
  ]
  return {
    isBroken: broken.length > 0,
    lost,
    double,
    failures,
    slowest,
    /** From the last visit until every paid booking has its airway bill and label. */
    settledSeconds,
    line: {
      stage,
      load: `${factor} ×`,
      'orders/s': orders / arrivalSeconds,
      'requests/s': samples.length / arrivalSeconds,
      'median ms': times.median,
      'p95 ms': times.p95,
      'p99 ms': times.p99,
      'slowest ms': times.slowest,
      failed: String(failed),
      lost: String(lost.length),
      double: String(double.length),
      'of a core': shares.join(', '),
      // Above 0.9 the numbers describe the generator and not the gateway.
      'generator busy': generatorBusy,
      outcome: broken[0] === undefined ? 'held' : `broke: ${broken[0]}`,
    },
  }
}

function openVisits({ control }: Deployment, people: People, firstPhone: number) {
  const { random, pools, routes, agents, cities } = people
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
  const courier = openBrowser(pools, (sample) => people.observe(sample))
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
      const agent = own[bought.reported.orderId % own.length]
      if (agent) await collect(agent, bought)
      await report(courier, bought, cities.get(route.centerCode) ?? '')
    }),
    unfinished: () => [...failures, ...Array<string>(begun - ended).fill('still under way when time was up')],
  }
}
