import { canonicalPhone } from '#server/platform/phone.ts'
import { type LevelOutcome, openStage, playLevel, type Stage } from './level.ts'
import { travelMany } from './load.ts'
import { processorMsOf } from './machine.ts'
import type { Options } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import { type Deployment, type PostgresServer, startDeployment, startPostgres } from './processes.ts'
import { figure, tableOf } from './report.ts'
import { type Lists, readLists, routesOf } from './season.ts'

/** The worst five minutes of the plan: 86,500 pilgrims, 297 requests and 5.4 orders a second. */
const plannedOrdersPerSecond = 5.4

/** One level, as a multiple of the planned load. */
interface DayLevel {
  readonly stage: string
  readonly factor: number
  readonly isHeld: boolean
  readonly outcome: Omit<LevelOutcome, 'reported'>
  readonly lost: number
  readonly double: number
  readonly orders: number
  /** From the last visit until every paid booking has its airway bill and label. */
  readonly settledSeconds: number
  /** Share of one core, by process. */
  readonly processors: Readonly<Record<string, number>>
}

interface DayResult {
  readonly levels: readonly DayLevel[]
  readonly faults: readonly string[]
}

const stages = {
  sqlite: { name: 'one gateway on SQLite', gateways: 1 },
  postgres: { name: 'two gateways on PostgreSQL', gateways: 2 },
} as const

/** Phones reserved for one level; more than any level uses. */
const peoplePerLevel = 1_000_000
const settledWithinMs = 180_000
/** Uses phones beyond those of the levels. */
const warmUp = { from: 50 * peoplePerLevel, journeys: 20 }
/** Agents that sign in, each with its own phone; each handles the bags of many orders. */
const mostAgents = 20

export async function runDay(options: Options, say: (line: string) => void): Promise<DayResult> {
  const postgres = options.engines.includes('postgres') ? await startPostgres() : undefined
  const levels: DayLevel[] = []
  const faults: string[] = []
  try {
    for (const engine of options.engines)
      for await (const level of play(engine, postgres, options, faults)) {
        levels.push(level)
        say(`  ${sentenceOf(level)}`)
      }
  } finally {
    await postgres?.end()
  }
  return { levels, faults }
}

async function* play(
  engine: keyof typeof stages,
  postgres: PostgresServer | undefined,
  options: Options,
  faults: string[],
): AsyncGenerator<DayLevel> {
  const { name, gateways } = stages[engine]
  const deployment = await startDeployment({ engine, gateways, postgres })
  try {
    const lists = await readLists(deployment)
    await warmUpGateways(deployment, lists)
    const agents = lists.agents.flatMap(({ id, phone }) => {
      const canonical = canonicalPhone(phone)
      return canonical === undefined ? [] : [{ code: id, phone: canonical }]
    })
    const centerCodes = lists.centers.slice(0, 40).map(({ code }) => code)
    const stage = await openStage(deployment, agents.slice(0, mostAgents), centerCodes)
    const played: DayLevel[] = []
    for (let factor = nextFactor(played, options.most); factor; factor = nextFactor(played, options.most)) {
      const { faults: own, ...level } = await audited(deployment, stage, options, factor, played.length)
      faults.push(...own.map((sentence) => `${name}, ${factor} times: ${sentence}`))
      played.push({ stage: name, ...level })
      yield { stage: name, ...level }
    }
    await stage.close()
  } finally {
    await deployment.close()
  }
}

/** A new process is slow for its first requests, and the peak is not its first minute. */
async function warmUpGateways({ gatewayUrls, mockUrl }: Deployment, lists: Lists): Promise<void> {
  for (const [index, gatewayUrl] of gatewayUrls.entries())
    await travelMany({
      gatewayUrl,
      mockUrl,
      routes: routesOf(lists),
      from: warmUp.from + index * warmUp.journeys,
      count: warmUp.journeys,
      atOnce: 4,
    })
}

/** A level, and what was lost or done twice in it. */
async function audited(
  deployment: Deployment,
  stage: Stage,
  options: Options,
  factor: number,
  index: number,
): Promise<Omit<DayLevel, 'stage'> & { faults: readonly string[] }> {
  const orderAudit = await startOrderAudit(deployment)
  const programs = [
    ...deployment.gateways(),
    deployment.simulator,
    { name: 'generator', pid: process.pid },
  ].map((each) => ({ ...each, beforeMs: processorMsOf(each.pid) }))
  const startedAt = performance.now()
  const { reported, ...outcome } = await playLevel(stage, {
    ordersPerSecond: plannedOrdersPerSecond * factor,
    seconds: options.seconds,
    seed: options.seed + factor,
    from: index * peoplePerLevel,
  })
  const tookMs = performance.now() - startedAt
  const processors = Object.fromEntries(
    programs.map(({ name, pid, beforeMs }) => [name, (processorMsOf(pid) - beforeMs) / tookMs]),
  )
  const { lost, double, orders, settledSeconds } = await orderAudit.finish(
    reported,
    outcome.checkouts,
    settledWithinMs,
  )
  return {
    factor,
    isHeld: outcome.report.isHeld && !outcome.wasStopped && outcome.unfinished === 0,
    outcome,
    lost: lost.length,
    double: double.length,
    orders,
    settledSeconds,
    processors,
    faults: [...lost.slice(0, 3), ...double.slice(0, 3)],
  }
}

type Played = readonly Pick<DayLevel, 'factor' | 'isHeld'>[]

/**
 * The next level: 1, then 8, then doubling until one fails. If 8 fails, 2 and 4 are tried. Undefined when the result is
 * known or `most` is reached.
 */
export function nextFactor(played: Played, most: number): number | undefined {
  const wasHeld = new Map(played.map(({ factor, isHeld }) => [factor, isHeld]))
  const highest = Math.max(...wasHeld.keys())
  let next: number | undefined
  if (played.length === 0) next = 1
  else if (wasHeld.get(1) === false) return undefined
  else if (!wasHeld.has(8)) next = 8
  else if (wasHeld.get(8) === false) {
    if (!wasHeld.has(2)) next = 2
    else if (wasHeld.get(2) && !wasHeld.has(4)) next = 4
  } else if (wasHeld.get(highest)) next = highest * 2
  return next !== undefined && next <= most ? next : undefined
}

function sentenceOf({ stage, factor, isHeld, outcome, lost, double, orders }: DayLevel): string {
  const { report } = outcome
  return `${stage}, ${factor} times: ${isHeld ? 'held' : `broke (${brokenBy(outcome)})`}, ${orders} orders, p95 ${figure(report.all.p95)} ms, ${lost} lost, ${double} double`
}

function brokenBy({ report, unfinished, firstUnfinished }: DayLevel['outcome']): string {
  if (report.firstBreak !== undefined) return report.firstBreak
  return `${unfinished} visits did not come to their end: ${firstUnfinished ?? ''}`
}

const columns: readonly (readonly [head: string, cell: (level: DayLevel) => string])[] = [
  ['stage', ({ stage }) => stage],
  ['load', ({ factor }) => `${factor} ×`],
  ['orders/s', ({ orders, outcome }) => figure(orders / outcome.arrivalSeconds)],
  ['requests/s', ({ outcome }) => figure(outcome.report.requests / outcome.arrivalSeconds)],
  ['median ms', ({ outcome }) => figure(outcome.report.all.median)],
  ['p95 ms', ({ outcome }) => figure(outcome.report.all.p95)],
  ['p99 ms', ({ outcome }) => figure(outcome.report.all.p99)],
  ['slowest ms', ({ outcome }) => figure(outcome.report.all.slowest)],
  [
    'failed',
    ({ outcome }) => String(Object.values(outcome.report.failures).reduce((sum, count) => sum + count, 0)),
  ],
  ['lost', ({ lost }) => String(lost)],
  ['double', ({ double }) => String(double)],
  ['outcome', ({ isHeld, outcome }) => (isHeld ? 'held' : `broke: ${brokenBy(outcome)}`)],
]

export function dayTable({ levels }: DayResult): string {
  const used = levels.map(({ stage, factor, outcome, processors, settledSeconds }) => {
    const shares = Object.entries(processors).map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
    const limit = outcome.generatorBusy > 0.9 ? ' (the generator was at its limit)' : ''
    return `${stage}, ${factor} times: ${shares.join(', ')} of a core${limit}; all bags had their label ${figure(settledSeconds)} s after the last visit.`
  })
  const limits = [...Map.groupBy(levels, ({ stage }) => stage)].map(([stage, own]) => {
    const held = Math.max(0, ...own.filter(({ isHeld }) => isHeld).map(({ factor }) => factor))
    const slowest = own.at(-1)?.outcome.report.byOperation.slice(0, 4)
    const named = slowest?.map(({ operation, summary }) => `${operation} ${figure(summary.p95)} ms`)
    return `${stage}: held ${held} times the planned load. Slowest operations of the last level (p95): ${named?.join(', ')}.`
  })
  const table = tableOf(
    columns.map(([head]) => head),
    levels.map((level) => columns.map(([, cell]) => cell(level))),
  )
  return `${table}\n\n${[...used, ...limits].join('\n')}`
}
