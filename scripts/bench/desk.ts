import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import { listDeskOrders, readDeskOrder, searchDesk } from '#shared/desk/orders/desk-orders.api.ts'
import { listWork, readDeskEvents, readWork, releaseWork, takeWork } from '#shared/desk/work/work.api.ts'
import { listUserOrders, readLabelPdf, readOrder } from '#shared/orders/orders.api.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { readUserSession } from '#shared/sessions/sessions.api.ts'
import { eventsOf } from '#test/kit/event-stream.ts'
import { createRandom, type Random } from '#test/kit/random.ts'
import { type Browser, openBrowser, openPool, type Sample } from './client.ts'
import { startPostgres } from './deployment.ts'
import { startArrivals } from './load.ts'
import type { Options } from './options.ts'
import { countsOf, figure, median, type Result, say, summaryOf, tableOf } from './report.ts'
import { type FilledDeployment, startFilledDeployment } from './season.ts'

/**
 * Thirty staff members at the desk beside pilgrims: how much slower pilgrims' calls become, and the desk's own
 * times. Each searches, opens an order, reads a work list, takes a row, gives it back and reads the list of
 * orders, with a pause before each step. Each has the page's stream open and rereads the lists after its notices.
 */

const people = 30
const thinkingMs = 3_000
/** A third of the planned peak (docs/performance.md, "day"). */
const pilgrimCallsPerSecond = 100
const pilgrims = 30
const waiting = 1_000
const promised = { ratio: 1.2, search: 150, order: 100, lists: 50 }
const warmUpSeconds = 5

const operationsOf = {
  search: [searchDesk],
  order: [readDeskOrder],
  lists: [readWork, listWork, listDeskOrders],
} as const satisfies Record<string, readonly OperationShape[]>

interface Round {
  readonly alone: readonly Sample[]
  readonly beside: readonly Sample[]
  readonly desk: readonly Sample[]
}

interface DeskLine {
  readonly engine: string
  readonly size: number
  readonly aloneMs: number
  readonly besideMs: number
  readonly deskMs: Readonly<Record<keyof typeof operationsOf, number>>
  readonly deskCalls: number
  readonly failures: Readonly<Record<string, number>>
}

export async function runDesk({ engines, sizes, rounds, seconds }: Options): Promise<Result> {
  const lines: DeskLine[] = []
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    for (const size of sizes) {
      say(`${engine}, ${size} orders`)
      const databaseUrl = await postgres?.createDatabase()
      const filled = {
        databaseUrl,
        size,
        users: pilgrims,
        staff: people,
        waiting: Math.min(waiting, size / 2),
      }
      const deployment = await startFilledDeployment(filled)
      try {
        lines.push(await measure(deployment, rounds, seconds))
      } finally {
        await deployment.close()
      }
    }
    await postgres?.end()
  }
  const faults = lines.flatMap(({ engine, size, failures }) =>
    Object.entries(failures).map(([what, count]) => `${engine}, ${size} orders: ${count} times ${what}`),
  )
  return { table: deskTable(lines), numbers: lines, faults }
}

async function measure(deployment: FilledDeployment, rounds: number, seconds: number): Promise<DeskLine> {
  await playRound(deployment, warmUpSeconds)
  const played: Round[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const { alone, beside, desk } = await playRound(deployment, seconds)
    played.push({ alone, beside, desk })
    say(`  round ${round}: pilgrims ${figure(p95(alone))} ms, beside the desk ${figure(p95(beside))} ms`)
  }
  const desk = played.flatMap((round) => round.desk)
  const all = played.flatMap(({ alone, beside }) => [...alone, ...beside]).concat(desk)
  return {
    engine: deployment.engine,
    size: deployment.size,
    aloneMs: median(played.map(({ alone }) => p95(alone))),
    besideMs: median(played.map(({ beside }) => p95(beside))),
    deskMs: { search: p95Of(desk, 'search'), order: p95Of(desk, 'order'), lists: p95Of(desk, 'lists') },
    deskCalls: desk.length,
    failures: countsOf(
      all.map(({ operation, failure }) => (failure === undefined ? undefined : `${operation}: ${failure}`)),
    ),
  }
}

const p95 = (samples: readonly Sample[]) => summaryOf(samples.map(({ ms }) => ms)).p95

function p95Of(samples: readonly Sample[], what: keyof typeof operationsOf): number {
  const labels = operationsOf[what].map(({ method, path }) => `${method} ${path}`)
  return p95(samples.filter(({ operation }) => labels.includes(operation)))
}

async function playRound(deployment: FilledDeployment, seconds: number): Promise<Round> {
  const pool = openPool(deployment.gatewayUrl)
  const [alone, beside, desk]: [Sample[], Sample[], Sample[]] = [[], [], []]
  await callAsPilgrims(deployment, pool, seconds, (sample) => alone.push(sample))
  const leave = await openDesk(deployment, pool, (sample) => desk.push(sample))
  await callAsPilgrims(deployment, pool, seconds, (sample) => beside.push(sample))
  await leave()
  await pool.close()
  return { alone, beside, desk }
}

type Observe = (sample: Sample) => void

async function callAsPilgrims(
  { users }: FilledDeployment,
  pool: Pool,
  seconds: number,
  observe: Observe,
): Promise<void> {
  const browsers = users.map((user) => ({ user, browser: openBrowser([pool], observe, user.headers.cookie) }))
  const end = startArrivals(
    () => 1_000 / pilgrimCallsPerSecond,
    async (turn, dueAt) => {
      const { user, browser } = browsers[Math.floor(turn / 4) % browsers.length] as (typeof browsers)[number]
      if (turn % 4 === 0) await browser.load(readUserSession, { dueAt })
      if (turn % 4 === 1) await browser.load(listUserOrders, { params: { userId: user.id }, dueAt })
      if (turn % 4 === 2) await browser.load(readOrder, { params: { id: user.orderId }, dueAt })
      if (turn % 4 === 3) await browser.load(readLabelPdf, { params: { awb: user.awb }, dueAt })
    },
  )
  await pause(seconds * 1_000)
  await end()
}

async function openDesk(deployment: FilledDeployment, pool: Pool, observe: Observe) {
  const leaving = new AbortController()
  const random = createRandom(1)
  const days = deployment.staff.map(async ({ headers }) => {
    const browser = openBrowser([pool], observe, headers.cookie)
    const lists = followLists(browser)
    await pause(random.next() * thinkingMs)
    await lists.read().catch(() => undefined)
    const stream = await openStream(deployment.gatewayUrl, headers, lists.changed)
    await work(browser, deployment, { random, lists, signal: leaving.signal }).catch(() => undefined)
    stream.destroy()
  })
  return async () => {
    leaving.abort()
    await Promise.all(days)
  }
}

type FollowedLists = ReturnType<typeof followLists>

/** A page rereads the lists at most once in this time after a notice. */
const spreadMs = 300
const gatherMs = 10_000

/** Rereads the overview and a list after notices, one at a time, like the page. */
function followLists(browser: Browser) {
  const kinds = ['bags', 'messages'] as const
  const kind = kinds[Math.floor(Math.random() * kinds.length)] ?? 'bags'
  let isDue = false
  let readAt = Number.NEGATIVE_INFINITY
  const readOverview = () => browser.load(readWork)

  async function read(): Promise<void> {
    await readOverview()
    await browser.load(listWork, { params: { kind } })
  }

  return {
    kind,
    read,
    readOverview,
    async changed(): Promise<void> {
      if (isDue) return
      isDue = true
      await pause(Math.max(Math.random() * spreadMs, readAt + gatherMs - performance.now()))
      isDue = false
      readAt = performance.now()
      await read().catch(() => undefined)
    },
  }
}

async function openStream(
  gatewayUrl: string,
  headers: Readonly<Record<string, string>>,
  onChanged: () => void,
): Promise<IncomingMessage> {
  const request = get(`${gatewayUrl}${readDeskEvents.path}`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`)
  const { next } = eventsOf(response)
  void (async () => {
    for (let event = await next(); event?.event === readDeskEvents.stream.event; event = await next())
      onChanged()
  })()
  return response
}

interface Shift {
  readonly random: Random
  readonly lists: FollowedLists
  readonly signal: AbortSignal
}

async function work(browser: Browser, { users, size }: FilledDeployment, shift: Shift): Promise<void> {
  const { random, lists, signal } = shift
  const { kind } = lists
  const any = <T>(of: readonly T[]) => of[Math.floor(random.next() * of.length)] as T
  const think = () => {
    const ms = Math.min(-Math.log(1 - random.next()), 4) * thinkingMs
    return pause(ms, undefined, { signal }).catch(() => undefined)
  }
  const steps: readonly (() => Promise<unknown>)[] = [
    () => {
      const { awb } = any(users)
      const number = Math.floor(random.next() * size)
      return browser.load(searchDesk, { body: { q: any([awb, awb.slice(-4), 'Pil', `Pilgrim ${number}`]) } })
    },
    () => browser.load(readDeskOrder, { params: { id: any(users).orderId } }),
    () => lists.read(),
    async () => {
      const { rows } = await browser.call(listWork, { params: { kind } })
      const free = rows.filter(({ taken }) => taken === null)
      if (free.length === 0) return
      const params = { kind, id: any(free).id }
      // A colleague may be first.
      const taken = await browser.load(takeWork, { params, body: {}, alsoRight: ['WORK_TAKEN'] })
      await lists.readOverview()
      await think()
      if (taken !== 200) return
      await browser.load(releaseWork, { params })
      await lists.readOverview()
    },
    () => browser.load(listDeskOrders),
  ]
  for (let turn = Math.floor(random.next() * steps.length); ; turn += 1) {
    await think()
    if (signal.aborted) return
    await steps[turn % steps.length]?.()
  }
}

function deskTable(lines: readonly DeskLine[]): string {
  const rows = lines.flatMap(({ engine, size, aloneMs, besideMs, deskMs, deskCalls }) =>
    (
      [
        ['p95 of pilgrims’ calls, alone', figure(aloneMs), 'ms', '–'],
        [`the same beside ${people} people at the desk`, figure(besideMs), 'ms', '–'],
        ['the second over the first', figure(besideMs / aloneMs), 'times', `${promised.ratio}`],
        ['p95 of a search at the desk', figure(deskMs.search), 'ms', `${promised.search}`],
        ['p95 of an order’s page', figure(deskMs.order), 'ms', `${promised.order}`],
        ['p95 of a list', figure(deskMs.lists), 'ms', `${promised.lists}`],
        ['calls of the desk', String(deskCalls), '', '–'],
      ] as const
    ).map((row) => [engine, String(size), ...row]),
  )
  return tableOf(['engine', 'orders', 'what', 'measured', 'unit', 'promised'], rows)
}
