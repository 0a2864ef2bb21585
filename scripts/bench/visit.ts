import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '#server/platform/database/database.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { eventually } from '#test/kit/eventually.ts'
import { openBrowser, openPool } from './client.ts'
import { stages, warmUpGateways } from './day.ts'
import { type Deployment, startDeployment, startPostgres } from './deployment.ts'
import { newPromised, phoneOf } from './journey.ts'
import { processorMsBelow, processorMsOf } from './machine.ts'
import type { Options } from './options.ts'
import { startOrderAudit } from './order-audit.ts'
import type { Counts } from './probe.store.ts'
import { figure, type Result, say, tableOf } from './report.ts'
import { browse, buy, collect, type SignedInAgent, signInAgent } from './visits.ts'

/** A new process is slow for its first requests. */
const warmUpVisits = 10
const idleMs = 10_000
/** Each handles the bags of some visits, because calls of an account are limited. */
const agentCount = 20
const settledWithinMs = 60_000
const shownStatements = 40
const probe = new URL('probe.store.ts', import.meta.url).href

/** The usage of every process so far, and the gateways' counts since the last reading. */
interface Reading {
  readonly at: number
  readonly processorMs: Readonly<Record<Part, number>>
  readonly logBytes: number
  readonly counts: Counts
}

const parts = ['gateway', 'database', 'simulator', 'generator'] as const
type Part = (typeof parts)[number]

interface Visit {
  readonly stage: string
  readonly requests: number
  readonly statements: number
  readonly roundTrips: number
  readonly calls: number
  readonly logBytes: number
  readonly processorMs: Readonly<Record<Part, number>>
  readonly idleMs: Readonly<Record<Part, number>>
  readonly byText: Readonly<Record<string, number>>
  readonly byOperation: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

export async function runVisit(options: Options): Promise<Result> {
  const visits: Visit[] = []
  for (const engine of options.engines) visits.push(await playVisits(engine, options.journeys))
  return { table: visitTable(visits), numbers: visits, faults: visits.flatMap(({ faults }) => faults) }
}

async function playVisits(engine: Engine, count: number): Promise<Visit> {
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
  let requests: Record<string, number> = {}
  const newBrowser = () =>
    openBrowser(pools, ({ operation }) => {
      requests[operation] = (requests[operation] ?? 0) + 1
    })
  const agents: SignedInAgent[] = []
  for (const { phone } of lists.agents.slice(0, agentCount))
    agents.push(await signInAgent({ browser: newBrowser(), control, phone: canonicalPhone(phone) ?? phone }))
  const { code: centerCode = '' } = lists.centers[0] ?? {}
  let person = 0
  const newVisitor = () => ({ browser: newBrowser(), control, phone: phoneOf(person++) })
  return {
    async play(count: number) {
      const promised = newPromised()
      requests = {}
      for (let turn = 0; turn < count; turn += 1) {
        await browse(newVisitor())
        await browse(newVisitor())
        const index = turn % agents.length
        const route = { agentCode: lists.agents[index]?.id ?? '', centerCode }
        const bought = await buy(newVisitor(), route, promised)
        await collect(agents[index] as SignedInAgent, bought)
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
  const statements: Record<string, number> = {}
  for (const counts of all)
    for (const [text, times] of Object.entries(counts.statements))
      statements[text] = (statements[text] ?? 0) + times
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
      statements,
      roundTrips: sum(({ roundTrips }) => roundTrips),
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

function visitOf(
  stage: string,
  count: number,
  requests: Readonly<Record<string, number>>,
  { quiet, before, after }: Readings,
): Omit<Visit, 'faults'> {
  const lasted = after.at - before.at
  const idle = before.at - quiet.at
  /** Per visit, without what is used in the same idle time. */
  const each = (used: number, unused: number) => (used - (unused * lasted) / idle) / count
  const counted = (take: (counts: Counts) => number) => each(take(after.counts), take(before.counts))
  const byText = Object.fromEntries(
    Object.keys(after.counts.statements)
      .map((text) => [text, counted(({ statements }) => statements[text] ?? 0)] as const)
      .sort(([, one], [, other]) => other - one),
  )
  const perPart = (take: (part: Part) => number) =>
    Object.fromEntries(parts.map((part) => [part, take(part)])) as Record<Part, number>
  const idleOf = (part: Part) => before.processorMs[part] - quiet.processorMs[part]
  return {
    stage,
    requests: Object.values(requests).reduce((sum, number) => sum + number, 0) / count,
    statements: Object.values(byText).reduce((sum, number) => sum + number, 0),
    roundTrips: counted(({ roundTrips }) => roundTrips),
    calls: counted(({ calls }) => calls),
    logBytes: each(after.logBytes - before.logBytes, before.logBytes - quiet.logBytes),
    processorMs: perPart((part) => each(after.processorMs[part] - before.processorMs[part], idleOf(part))),
    idleMs: perPart((part) => (idleOf(part) * 1_000) / idle),
    byText,
    byOperation: Object.fromEntries(
      Object.entries(requests).map(([operation, times]) => [operation, times / count]),
    ),
  }
}

function visitTable(visits: readonly Visit[]): string {
  const columns: readonly (readonly [head: string, cell: (visit: Visit) => number])[] = [
    ['requests', ({ requests }) => requests],
    ['statements', ({ statements }) => statements],
    ['round trips', ({ roundTrips }) => roundTrips],
    ['calls', ({ calls }) => calls],
    ['log bytes', ({ logBytes }) => logBytes],
    ...parts.map((part) => [`${part} ms`, ({ processorMs }: Visit) => processorMs[part]] as const),
  ]
  const rows = tableOf(
    ['one visit on', ...columns.map(([head]) => head)],
    visits.map((visit) => [visit.stage, ...columns.map(([, cell]) => figure(cell(visit)))]),
  )
  const statements = visits.map(({ stage, byText, idleMs: idle }) => {
    const texts = Object.entries(byText).slice(0, shownStatements)
    const lines = texts.map(([text, times]) => [figure(times), text.replace(/\s+/g, ' ').slice(0, 150)])
    const idles = parts.map((part) => `${part} ${figure(idle[part])} ms`).join(', ')
    return `${stage}; an idle second takes ${idles}\n${tableOf(['times', 'statement'], lines)}`
  })
  return [rows, ...statements].join('\n\n')
}
