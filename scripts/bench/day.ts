import { canonicalPhone } from '#server/platform/phone.ts'
import { readLists, routesOf } from './filled-deployment.ts'
import type { Job, JourneysResult, LevelOutcome } from './jobs.ts'
import { highestHeld, nextFactor } from './levels.ts'
import type { Options } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import {
  type Deployment,
  type PostgresServer,
  startDeployment,
  startGenerator,
  startPostgres,
} from './processes.ts'
import { figure, tableOf } from './table.ts'

/** The worst five minutes of the plan: 86,500 pilgrims, 297 requests and 5.4 orders a second. */
export const plannedOrdersPerSecond = 5.4

export interface DayLevel {
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

export interface DayResult {
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
  const { name: stage, gateways } = stages[engine]
  const generator = startGenerator()
  const deployment = await startDeployment({ engine, gateways, postgres })
  try {
    const lists = await readLists(deployment)
    const agents = lists.agents.flatMap(({ id, phone }) => {
      const canonical = canonicalPhone(phone)
      return canonical === undefined ? [] : [{ code: id, phone: canonical }]
    })
    // Warm-up: a new process is slow for its first requests, and the peak is not its first minute.
    for (const [index, gatewayUrl] of deployment.gatewayUrls.entries())
      await generator.ask<JourneysResult>({
        kind: 'journeys',
        gatewayUrl,
        mockUrl: deployment.mockUrl,
        routes: routesOf(lists),
        from: warmUp.from + index * warmUp.journeys,
        count: warmUp.journeys,
        atOnce: 4,
      } satisfies Job)
    const played: { factor: number; isHeld: boolean }[] = []
    for (
      let factor = nextFactor(played, options.most);
      factor !== undefined;
      factor = nextFactor(played, options.most)
    ) {
      const orderAudit = await startOrderAudit(deployment)
      const before = processorsOf(deployment, generator)
      const startedAt = performance.now()
      const { reported, ...outcome } = await generator.ask<LevelOutcome>({
        kind: 'level',
        gatewayUrls: deployment.gatewayUrls,
        mockUrl: deployment.mockUrl,
        ordersPerSecond: plannedOrdersPerSecond * factor,
        seconds: options.seconds,
        seed: options.seed + factor,
        from: played.length * peoplePerLevel,
        agents: agents.slice(0, mostAgents),
        centerCodes: lists.centers.slice(0, 40).map(({ code }) => code),
      } satisfies Job)
      const seconds = (performance.now() - startedAt) / 1_000
      const processors = Object.fromEntries(
        Object.entries(processorsOf(deployment, generator)).map(([name, ms]) => [
          name,
          (ms - (before[name] ?? 0)) / (seconds * 1_000),
        ]),
      )
      const { lost, double, orders, settledSeconds } = await orderAudit.finish(
        reported,
        outcome.checkouts,
        settledWithinMs,
      )
      for (const sentence of [...lost.slice(0, 3), ...double.slice(0, 3)])
        faults.push(`${stage}, ${factor} times: ${sentence}`)
      const isHeld = outcome.report.isHeld && !outcome.wasStopped && outcome.unfinished === 0
      played.push({ factor, isHeld })
      yield {
        stage,
        factor,
        isHeld,
        outcome,
        lost: lost.length,
        double: double.length,
        orders,
        settledSeconds,
        processors,
      }
    }
  } finally {
    await generator.end()
    await deployment.close()
  }
}

/** Agents that sign in, each with its own phone; each handles the bags of many orders. */
const mostAgents = 20

function processorsOf(
  deployment: Deployment,
  generator: { name: string; processorMs(): number | undefined },
) {
  const children = [...deployment.gateways(), deployment.simulator, generator]
  return Object.fromEntries(children.map((child) => [child.name, child.processorMs() ?? Number.NaN]))
}

function sentenceOf({ stage, factor, isHeld, outcome, lost, double, orders }: DayLevel): string {
  const { report } = outcome
  return `${stage}, ${factor} times: ${isHeld ? 'held' : `broke (${brokenBy(outcome)})`}, ${orders} orders, p95 ${figure(report.all.p95)} ms, ${lost} lost, ${double} double`
}

function brokenBy({ report, unfinished, firstUnfinished }: DayLevel['outcome']): string {
  if (report.firstBreak !== undefined) return report.firstBreak
  return `${unfinished} visits did not come to their end: ${firstUnfinished ?? ''}`
}

export function dayTable({ levels }: DayResult): string {
  const rows = levels.map(({ stage, factor, isHeld, outcome, lost, double, orders }) => [
    stage,
    `${factor} ×`,
    figure(orders / outcome.arrivalSeconds),
    figure(outcome.report.requests / outcome.arrivalSeconds),
    figure(outcome.report.all.median),
    figure(outcome.report.all.p95),
    figure(outcome.report.all.p99),
    figure(outcome.report.all.slowest),
    String(Object.values(outcome.report.failures).reduce((sum, count) => sum + count, 0)),
    String(lost),
    String(double),
    isHeld ? 'held' : `broke: ${brokenBy(outcome)}`,
  ])
  const used = levels.map(({ stage, factor, outcome, processors, settledSeconds }) => {
    const shares = Object.entries(processors).map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
    const limit = outcome.generator.busy > 0.9 ? ' (the generator was at its limit)' : ''
    return `${stage}, ${factor} times: ${shares.join(', ')} of a core${limit}; all bags had their label ${figure(settledSeconds)} s after the last visit.`
  })
  const limits = [...Map.groupBy(levels, ({ stage }) => stage)].map(([stage, own]) => {
    const slowest = own.at(-1)?.outcome.report.byOperation.slice(0, 4)
    const named = slowest
      ?.map(({ operation, summary }) => `${operation} ${figure(summary.p95)} ms`)
      .join(', ')
    return `${stage}: held ${highestHeld(own)} times the planned load. Slowest operations of the last level (p95): ${named}.`
  })
  return `${tableOf(
    [
      'stage',
      'load',
      'orders/s',
      'requests/s',
      'median ms',
      'p95 ms',
      'p99 ms',
      'slowest ms',
      'failed',
      'lost',
      'double',
      'outcome',
    ],
    rows,
  )}\n\n${[...used, ...limits].join('\n')}`
}
