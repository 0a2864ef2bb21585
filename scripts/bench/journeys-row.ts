import { type FilledDeployment, routesOf } from './filled-deployment.ts'
import type { FloodResult, JourneysResult } from './jobs.ts'
import { median, summaryOf } from './numbers.ts'
import { startOrderAudit } from './order-audit.ts'
import { startBaseline } from './processes.ts'
import { ask, type Bench, connections, type Row } from './row.ts'
import { figure } from './table.ts'
import type { Vitals } from './vitals.ts'

const journeysAtOnce = 24

/** Whole journeys per second, and what was lost or done twice. */
export async function journeysRow(
  bench: Bench,
  deployment: FilledDeployment,
): Promise<{ row: Row; resident: Row; details: unknown }> {
  const { options, say, faults } = bench
  const orderAudit = await startOrderAudit(deployment)
  const baseline = startBaseline()
  const baselineUrl = await baseline.ask<string>({
    status: 200,
    headers: [['content-length', '2']],
    body: Buffer.from('ok').toString('base64'),
  })
  const perRound = Math.ceil(options.journeys / options.rounds)
  const job = {
    kind: 'journeys',
    gatewayUrl: deployment.gatewayUrls[0] ?? '',
    mockUrl: deployment.mockUrl,
    routes: routesOf(deployment.lists),
    atOnce: journeysAtOnce,
  } as const
  const perSecond: number[] = []
  const bare: number[] = []
  const all: JourneysResult['journeys'][number][] = []
  const spent: Record<string, number> = {}
  for (let round = 0; round < options.rounds; round += 1) {
    const before = processorOf(deployment)
    const { seconds, journeys } = await ask<JourneysResult>(bench, {
      ...job,
      from: round * perRound,
      count: perRound,
    })
    for (const [name, ms] of Object.entries(processorOf(deployment)))
      spent[name] = (spent[name] ?? 0) + ms - (before[name] ?? 0)
    perSecond.push(journeys.filter(({ failure }) => failure === undefined).length / seconds)
    all.push(...journeys)
    const flood = await ask<FloodResult>(bench, {
      kind: 'flood',
      url: baselineUrl,
      request: { method: 'GET', path: '/' },
      connections,
      seconds: Math.min(2, options.seconds),
    })
    bare.push(flood.perSecond)
    say(`  whole journeys, round ${round + 1}: ${figure(perSecond.at(-1) ?? 0)}/s of ${perRound}`)
  }
  const [{ residentMb = Number.NaN } = {}] = await deployment.vitals()
  const bareMb = (await baseline.ask<Vitals>('vitals')).residentMb
  await baseline.end()

  const failed = all.filter(({ failure }) => failure !== undefined)
  const [firstFailure] = failed
  if (firstFailure) faults.push(`${failed.length} journeys did not end: ${firstFailure.failure}`)
  const checkouts = all.filter(({ hasCheckedOut }) => hasCheckedOut).length
  const reported = all.flatMap((journey) => (journey.reported ? [journey.reported] : []))
  const { lost, double, orders } = await orderAudit.finish(reported, checkouts, 60_000)
  for (const sentence of [...lost.slice(0, 5), ...double.slice(0, 5)]) faults.push(sentence)
  const latency = summaryOf(all.map(({ ms }) => ms))
  const perJourney = Object.entries(spent)
    .map(([name, ms]) => `${name} ${figure(ms / Math.max(1, all.length))} ms`)
    .join(', ')
  return {
    row: {
      what: `whole journeys (${all.length})`,
      unit: 'journeys/s',
      gateway: median(perSecond),
      baseline: median(bare),
      baselineIs: 'bare node:http, requests/s',
      measure: median(perSecond),
      floor: 40,
      goal: 120,
      isMoreBetter: true,
      note: `${lost.length} lost, ${double.length} double of ${orders}; median ${figure(latency.median)} ms, slowest ${figure(latency.slowest)} ms; processor per journey: ${perJourney}`,
    },
    resident: {
      what: `resident memory after ${all.length} journeys`,
      unit: 'MB',
      gateway: residentMb,
      baseline: bareMb,
      baselineIs: 'bare node:http',
      measure: residentMb,
      floor: 250,
      goal: 150,
      isMoreBetter: false,
      note: '',
    },
    details: { perSecond, bare, latency, lost, double, orders, processorMs: spent },
  }
}

function processorOf(deployment: FilledDeployment): Record<string, number> {
  const children = [...deployment.gateways(), deployment.simulator]
  return Object.fromEntries(children.map((child) => [child.name, child.processorMs() ?? Number.NaN]))
}
