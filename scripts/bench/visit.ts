import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '#server/platform/database/database.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { openBrowser, openPool } from './client.ts'
import { stages, warmUpGateways } from './day.ts'
import { type Deployment, startDeployment, startPostgres } from './deployment.ts'
import { newPromised, phoneOf } from './journey.ts'
import { processorMsBelow, processorMsOf } from './machine.ts'
import { startOrderAudit } from './order-audit.ts'
import type { Counts } from './probe.store.ts'
import { figure, type Options, type Result, say } from './report.ts'
import { browse, buy, collect, report, type SignedInAgent, signInAgent } from './visits.ts'

/** A new process is slow for its first requests. */
const warmUpVisits = 10
const idleMs = 10_000
/** Each handles the bags of some visits, because calls of an account are limited. */
const agentCount = 20
const settledWithinMs = 60_000
const probe = new URL('probe.store.ts', import.meta.url).href

/** The usage of every process so far, and the gateways' counts since the last reading. */
interface Reading {
  readonly at: number
  readonly processorMs: Readonly<Record<Part, number>>
  readonly logBytes: number
  readonly counts: Counts
}

type Part = 'gateway' | 'database' | 'simulator' | 'generator'

export async function runVisit(options: Options): Promise<Result> {
  const visits: Visit[] = []
  for (const engine of options.engines) visits.push(await playVisits(engine, options.journeys))
  return {
    lines: visits.map(({ line }) => line),
    faults: visits.flatMap(({ faults }) => faults),
    details: visits,
  }
}

type Visit = Awaited<ReturnType<typeof playVisits>>

async function playVisits(engine: Engine, count: number) {
  const { name, gateways } = stages[engine]
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const folder = mkdtempSync(join(tmpdir(), 'visit-counts-'))
  const deployment = await startDeployment({
    gateways,
    databaseUrl: await postgres?.createDatabase(),
    env: { VISIT_COUNTS: folder, NODE_OPTIONS: `--import=${probe} ${process.env.NODE_OPTIONS ?? ''}` },
  })
  try {
    await warmUpGateways(deployment)
    const read = () => readPrograms(deployment, folder, postgres?.pid)
    const visitors = await openVisitors(deployment)
    await visitors.play(warmUpVisits)
    const quiet = await read()
    await pause(idleMs)
    const before = await read()
    const orderAudit = await startOrderAudit(deployment)
    const { requests, promised } = await visitors.play(count)
    const after = await read()
    await visitors.close()
    const { lost, double } = await orderAudit.finish(promised, settledWithinMs)
    say(`  ${name}: ${count} visits in ${figure((after.at - before.at) / 1_000)} s`)
    return {
      ...visitOf(name, count, requests, { quiet, before, after }),
      faults: [...lost, ...double].map((each) => `${name}: ${each}`),
    }
  } finally {
    await deployment.close()
    await postgres?.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openVisitors({ gatewayUrls, control, lists }: Deployment) {
  const pools = gatewayUrls.map(openPool)
  let requests = 0
  const newBrowser = () =>
    openBrowser(pools, () => {
      requests += 1
    })
  const agents: SignedInAgent[] = []
  for (const { phone } of lists.agents.slice(0, agentCount))
    agents.push(await signInAgent({ browser: newBrowser(), control, phone: canonicalPhone(phone) ?? phone }))
  const courier = newBrowser()
  const { code: centerCode = '', city = '' } = lists.centers[0] ?? {}
  let person = 0
  const newVisitor = () => ({ browser: newBrowser(), control, phone: phoneOf(person++) })
  return {
    async play(count: number) {
      const promised = newPromised()
      requests = 0
      for (let turn = 0; turn < count; turn += 1) {
        await browse(newVisitor())
        await browse(newVisitor())
        const index = turn % agents.length
        const route = { agentCode: lists.agents[index]?.id ?? '', centerCode }
        const bought = await buy(newVisitor(), route, promised)
        await collect(agents[index] as SignedInAgent, bought)
        await report(courier, bought, city)
      }
      return { requests, promised }
    },
    close: async () => void (await Promise.all(pools.map((pool) => pool.destroy()))),
  }
}

async function readPrograms(
  deployment: Deployment,
  folder: string,
  postgresPid: number | undefined,
): Promise<Reading> {
  const [simulator, ...gateways] = deployment.programs()
  const all = await Promise.all(gateways.map(({ pid }) => countsOf(folder, pid)))
  const sum = (take: (counts: Counts) => number) => all.reduce((total, counts) => total + take(counts), 0)
  const sums = (take: (counts: Counts) => Readonly<Record<string, number>>) => {
    const total: Record<string, number> = {}
    for (const counts of all)
      for (const [name, times] of Object.entries(take(counts))) total[name] = (total[name] ?? 0) + times
    return total
  }
  return {
    at: performance.now(),
    processorMs: {
      gateway: gateways.reduce((total, { pid }) => total + processorMsOf(pid), 0),
      database: postgresPid === undefined ? 0 : processorMsBelow(postgresPid),
      simulator: processorMsOf(simulator?.pid ?? 0),
      generator: processorMsOf(process.pid),
    },
    logBytes: logBytesOf(join(deployment.dataDir, 'log.txt'), new Set(gateways.map(({ pid }) => pid))),
    counts: {
      statements: sums(({ statements }) => statements),
      roundTrips: sum(({ roundTrips }) => roundTrips),
      roundTripsOf: sums(({ roundTripsOf }) => roundTripsOf),
      calls: sum(({ calls }) => calls),
    },
  }
}

function countsOf(folder: string, pid: number): Promise<Counts> {
  const path = join(folder, `${pid}.json`)
  process.kill(pid, 'SIGUSR2')
  return eventually(() => {
    if (!statSync(path, { throwIfNoEntry: false })) return undefined
    const counts = JSON.parse(readFileSync(path, 'utf8')) as Counts
    rmSync(path)
    return counts
  })
}

function logBytesOf(path: string, pids: ReadonlySet<number>): number {
  let bytes = 0
  for (const line of readFileSync(path, 'utf8').split('\n'))
    if (pids.has(Number(/"pid":(\d+)/.exec(line)?.[1]))) bytes += Buffer.byteLength(line) + 1
  return bytes
}

interface Readings {
  readonly quiet: Reading
  readonly before: Reading
  readonly after: Reading
}

function visitOf(stage: string, count: number, requests: number, { quiet, before, after }: Readings) {
  const lasted = after.at - before.at
  const idle = before.at - quiet.at
  /** Per visit, without what is used in the same idle time. */
  const each = (used: number, unused: number) => (used - (unused * lasted) / idle) / count
  const counted = (take: (counts: Counts) => number) => each(take(after.counts), take(before.counts))
  const byName = (take: (counts: Counts) => Readonly<Record<string, number>>) =>
    Object.keys(take(after.counts))
      .map((name) => [name, counted((counts) => take(counts)[name] ?? 0)] as const)
      .sort(([, one], [, other]) => other - one)
  const statements = byName((counts) => counts.statements)
  const processorMs = (part: Part) =>
    each(
      after.processorMs[part] - before.processorMs[part],
      before.processorMs[part] - quiet.processorMs[part],
    )
  return {
    statements,
    roundTrips: byName(({ roundTripsOf }) => roundTripsOf),
    line: {
      'one visit on': stage,
      requests: requests / count,
      statements: statements.reduce((sum, [, times]) => sum + times, 0),
      'round trips': counted(({ roundTrips }) => roundTrips),
      calls: counted(({ calls }) => calls),
      'log bytes': each(after.logBytes - before.logBytes, before.logBytes - quiet.logBytes),
      'gateway ms': processorMs('gateway'),
      'database ms': processorMs('database'),
      'simulator ms': processorMs('simulator'),
      'generator ms': processorMs('generator'),
    },
  }
}
