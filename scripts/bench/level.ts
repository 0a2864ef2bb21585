import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import { createRandom, type Random } from '#test/kit/random.ts'
import { type Observe, openBrowser, openPool } from './client.ts'
import { phoneOf } from './journey.ts'
import type { ReportedOrder } from './ledger.ts'
import { type Summary, summaryOf } from './report.ts'
import { type LevelReport, reportOf, type Sample } from './samples.ts'
import { browse, buy, collect, type SignedInAgent, signInAgent, type Visitor } from './visits.ts'

/** One level of the peak day: visits that begin by a Poisson process, whether or not the ones before were answered. */

/** A level is stopped after this many failures, or with this many unanswered requests. */
const mostFailures = 300
const mostPending = 4_000
/** How long visits in progress may take after the last arrival. */
const drainMs = 150_000

/** What the levels of one deployment share: agents sign in once, because codes per phone are limited. */
export interface Stage {
  readonly gateways: readonly Pool[]
  readonly simulator: Pool
  readonly agents: ReadonlyMap<string, SignedInAgent>
  readonly centerCodes: readonly string[]
  /** Called for the agents' requests. */
  observe: Observe
  close(): Promise<void>
}

export async function openStage(
  { gatewayUrls, mockUrl }: { gatewayUrls: readonly string[]; mockUrl: string },
  agents: readonly { readonly code: string; readonly phone: string }[],
  centerCodes: readonly string[],
): Promise<Stage> {
  const signedIn = new Map<string, SignedInAgent>()
  const stage: Stage = {
    gateways: gatewayUrls.map(openPool),
    simulator: openPool(mockUrl),
    agents: signedIn,
    centerCodes,
    observe: () => undefined,
    async close() {
      await Promise.all([...stage.gateways, stage.simulator].map((pool) => pool.destroy()))
    },
  }
  for (const { code, phone } of agents) {
    const browser = openBrowser(stage.gateways, (...sample) => stage.observe(...sample))
    signedIn.set(code, await signInAgent(browser, stage.simulator, phone))
  }
  return stage
}

export interface LevelOutcome {
  readonly report: LevelReport
  readonly reported: readonly ReportedOrder[]
  readonly checkouts: number
  /** The time during which visits began. */
  readonly arrivalSeconds: number
  /** Visits that began, and those that failed. */
  readonly visits: number
  readonly unfinished: number
  readonly firstUnfinished: string | undefined
  /** The level was stopped early after too many failures. */
  readonly wasStopped: boolean
  /** Share of the time in which this process was busy. Above 0.9 the numbers are its own and not the gateway's. */
  readonly generatorBusy: number
  /** How late visits began, in milliseconds: this process' share of the latency. */
  readonly lateness: Summary
}

interface LevelOptions {
  readonly ordersPerSecond: number
  readonly seconds: number
  readonly seed: number
  /** The first phone. */
  readonly from: number
}

export async function playLevel(stage: Stage, options: LevelOptions): Promise<LevelOutcome> {
  const random = createRandom(options.seed)
  const used = performance.eventLoopUtilization()
  const startedAt = performance.now()
  const samples: Sample[] = []
  const lateness: number[] = []
  let failures = 0
  let isOpen = true
  stage.observe = (operation, ms, failure) => {
    if (!isOpen) return
    samples.push({ atMs: performance.now() - startedAt, operation, ms, failure })
    if (failure !== undefined) failures += 1
  }
  const isBroken = () =>
    failures >= mostFailures || stage.gateways.reduce((sum, { stats }) => sum + stats.size, 0) >= mostPending

  const visits = createVisits(stage, random, options.from)
  for (const { at, visit } of arrivalsOf(options, random, visits)) {
    const waitMs = at - (performance.now() - startedAt)
    if (waitMs > 1) await pause(waitMs)
    if (isBroken()) break
    lateness.push(Math.max(0, performance.now() - startedAt - at))
    visits.begin(visit)
  }
  const wasStopped = isBroken()
  const arrivalSeconds = wasStopped ? (performance.now() - startedAt) / 1_000 : options.seconds
  await Promise.race([visits.untilDone(), pause(drainMs, undefined, { ref: false })])
  isOpen = false
  return {
    report: reportOf(samples),
    ...visits.outcome(),
    visits: lateness.length,
    arrivalSeconds,
    wasStopped,
    generatorBusy: performance.eventLoopUtilization(used).utilization,
    lateness: summaryOf(lateness),
  }
}

type Visits = ReturnType<typeof createVisits>

function createVisits(stage: Stage, random: Random, from: number) {
  const codes = [...stage.agents.keys()] as [string]
  const reported = new Map<number, ReportedOrder>()
  const active = new Set<Promise<void>>()
  const unfinished: string[] = []
  let checkouts = 0
  let person = from
  const newVisitor = (): Visitor => ({
    browser: openBrowser(stage.gateways, (...sample) => stage.observe(...sample)),
    simulator: stage.simulator,
    random,
    phone: phoneOf(person++),
  })

  async function purchase(): Promise<void> {
    const agentCode = random.pick(codes)
    const route = { agentCode, centerCode: random.pick(stage.centerCodes as [string]) }
    let last: ReportedOrder | undefined
    await buy(newVisitor(), route, {
      onCheckout: () => {
        checkouts += 1
      },
      onReported: (order) => {
        last = order
        reported.set(order.orderId, order)
      },
    })
    const taker = stage.agents.get(agentCode)
    if (last && last.awb !== null && taker) await collect(taker, last.orderId, last.awb, random)
  }

  return {
    purchase,
    browse: () => browse(newVisitor()),
    begin(visit: () => Promise<void>) {
      const under = visit()
        .catch(
          (error: unknown) => void unfinished.push(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => active.delete(under))
      active.add(under)
    },
    untilDone: () => Promise.all(active),
    outcome: () => ({
      reported: [...reported.values()],
      checkouts,
      unfinished: unfinished.length + active.size,
      firstUnfinished: unfinished[0] ?? (active.size > 0 ? 'still under way when time was up' : undefined),
    }),
  }
}

/** Twice as many visitors without an order. */
function arrivalsOf({ ordersPerSecond, seconds }: LevelOptions, random: Random, visits: Visits) {
  const most = Math.ceil(ordersPerSecond * seconds * 2 + 50)
  const of = (perSecond: number, limit: number, visit: () => Promise<void>) =>
    poissonArrivals(perSecond, seconds, random, limit).map((at) => ({ at, visit }))
  return [
    ...of(ordersPerSecond, most, visits.purchase),
    ...of(2 * ordersPerSecond, 2 * most, visits.browse),
  ].sort((a, b) => a.at - b.at)
}

/** In milliseconds from the start: a Poisson process of `perSecond` over `seconds`, of `most` arrivals at most. */
function poissonArrivals(perSecond: number, seconds: number, random: Random, most: number): number[] {
  const arrivals: number[] = []
  for (let at = 0; arrivals.length < most; ) {
    // `1 - next()` is never 0, whose logarithm is infinite.
    at += (-Math.log(1 - random.next()) * 1_000) / perSecond
    if (at >= seconds * 1_000) break
    arrivals.push(at)
  }
  return arrivals
}
