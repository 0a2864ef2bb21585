import type { Journey } from './journey.ts'
import { flood, travelMany } from './load.ts'
import { processorMsOf, residentMbOf } from './machine.ts'
import type { Bench } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import { startBaseline } from './processes.ts'
import { figure, median, type Row, summaryOf } from './report.ts'
import { type FilledDeployment, routesOf } from './season.ts'

const journeysAtOnce = 24
const settledWithinMs = 60_000

interface Measured {
  readonly journeys: readonly Journey[]
  readonly perSecond: readonly number[]
  /** Requests per second of a bare server, for the speed of the machine. */
  readonly bare: readonly number[]
  /** Processor time in milliseconds, by process. */
  readonly processorMs: Readonly<Record<string, number>>
  readonly residentMb: number
  readonly bareMb: number
}

/** Whole journeys per second, what was lost or done twice, and the memory after it. */
export async function journeyRows(
  bench: Bench,
  deployment: FilledDeployment,
): Promise<{ journeys: Row; resident: Row }> {
  const { faults } = bench
  const orderAudit = await startOrderAudit(deployment)
  const measured = await travelInRounds(bench, deployment)
  const all = measured.journeys
  const failed = all.filter(({ failure }) => failure !== undefined)
  if (failed[0]) faults.push(`${failed.length} journeys did not end: ${failed[0].failure}`)
  const { lost, double, orders } = await orderAudit.finish(
    all.flatMap(({ reported }) => (reported ? [reported] : [])),
    all.filter(({ hasCheckedOut }) => hasCheckedOut).length,
    settledWithinMs,
  )
  faults.push(...lost.slice(0, 5), ...double.slice(0, 5))
  const latency = summaryOf(all.map(({ ms }) => ms))
  const spent = Object.entries(measured.processorMs).map(
    ([name, ms]) => `${name} ${figure(ms / all.length)} ms`,
  )
  return {
    journeys: {
      what: `whole journeys (${all.length})`,
      unit: 'journeys/s',
      gateway: median(measured.perSecond),
      baseline: median(measured.bare),
      baselineIs: 'bare node:http, requests/s',
      measure: median(measured.perSecond),
      floor: 40,
      goal: 120,
      isMoreBetter: true,
      note: `${lost.length} lost, ${double.length} double of ${orders}; median ${figure(latency.median)} ms, slowest ${figure(latency.slowest)} ms; processor per journey: ${spent.join(', ')}`,
    },
    resident: {
      what: `resident memory after ${all.length} journeys`,
      unit: 'MB',
      gateway: measured.residentMb,
      baseline: measured.bareMb,
      baselineIs: 'bare node:http',
      measure: measured.residentMb,
      floor: 250,
      goal: 150,
      isMoreBetter: false,
      note: '',
    },
  }
}

async function travelInRounds({ options, say }: Bench, deployment: FilledDeployment): Promise<Measured> {
  const baseline = await startBaseline()
  const perRound = Math.ceil(options.journeys / options.rounds)
  const programs = [...deployment.gateways(), deployment.simulator]
  const journeys: Journey[] = []
  const perSecond: number[] = []
  const bare: number[] = []
  const processorMs: Record<string, number> = {}
  for (let round = 0; round < options.rounds; round += 1) {
    const before = programs.map(({ pid }) => processorMsOf(pid))
    const travelled = await travelMany({
      gatewayUrl: deployment.gatewayUrls[0] ?? '',
      mockUrl: deployment.mockUrl,
      routes: routesOf(deployment.lists),
      from: round * perRound,
      count: perRound,
      atOnce: journeysAtOnce,
    })
    for (const [index, { name, pid }] of programs.entries())
      processorMs[name] = (processorMs[name] ?? 0) + processorMsOf(pid) - (before[index] ?? 0)
    const ended = travelled.journeys.filter(({ failure }) => failure === undefined)
    perSecond.push(ended.length / travelled.seconds)
    journeys.push(...travelled.journeys)
    bare.push(
      (await flood(baseline.url, { method: 'GET', path: '/' }, Math.min(2, options.seconds))).perSecond,
    )
    say(`  whole journeys, round ${round + 1}: ${figure(perSecond.at(-1) ?? 0)}/s of ${perRound}`)
  }
  const [residentMb = Number.NaN] = deployment.gateways().map(({ pid }) => residentMbOf(pid))
  const bareMb = residentMbOf(baseline.pid)
  await baseline.end()
  return { journeys, perSecond, bare, processorMs, residentMb, bareMb }
}
