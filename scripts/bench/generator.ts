import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '#test/kit/random.ts'
import { poissonArrivals } from './arrivals.ts'
import { codeOf, type Observe, openBrowser } from './browser.ts'
import {
  bytesOf,
  loopbackOf,
  openConnection,
  openPool,
  type Pool,
  type Reply,
  type Request,
} from './connection.ts'
import type { FloodResult, Job, JourneysResult, LevelOutcome, LineResult, NeighboursResult } from './jobs.ts'
import { type Journey, phoneOf, travel } from './journey.ts'
import type { ReportedOrder } from './ledger.ts'
import { summaryOf } from './numbers.ts'
import { answerQuestions } from './questions.ts'
import { reportOf, type Sample } from './samples.ts'
import { browse, buy, collect, type SignedInAgent, signInAgent, type Visitor } from './visits.ts'
import { vitals } from './vitals.ts'

/** The load generator: its own process, so that it shares only the processor with the gateway. */

type JobOf<K extends Job['kind']> = Extract<Job, { kind: K }>

function failureOf(error: Error | undefined, reply: Reply | undefined): string | undefined {
  if (reply === undefined) return error?.message ?? 'no answer'
  return reply.status === 200 ? undefined : `${reply.status} ${codeOf(reply) ?? ''}`.trim()
}

async function flood({ url, request, connections, seconds }: JobOf<'flood'>): Promise<FloodResult> {
  const bytes = bytesOf(loopbackOf(url).authority, request)
  const times: number[] = []
  let failed = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve) => {
          const connection = openConnection(url)
          let sentAt = startedAt
          const send = () => {
            sentAt = performance.now()
            connection.send(bytes, (error, reply) => {
              const now = performance.now()
              if (reply?.status === 200) times.push(now - sentAt)
              else failed += 1
              if (now < endsAt && !error) return send()
              connection.close()
              resolve()
            })
          }
          send()
        }),
    ),
  )
  const tookMs = performance.now() - startedAt
  return {
    perSecond: (times.length * 1_000) / tookMs,
    answered: times.length,
    failed,
    summary: summaryOf(times),
  }
}

async function line({ url, requests }: JobOf<'line'>): Promise<LineResult> {
  const { authority } = loopbackOf(url)
  const connection = openConnection(url)
  const times: number[] = []
  let failure: string | undefined
  for (const request of requests) {
    const bytes = bytesOf(authority, request)
    const startedAt = performance.now()
    await new Promise<void>((resolve) =>
      connection.send(bytes, (error, reply) => {
        const failed = failureOf(error, reply)
        if (failed === undefined) times.push(performance.now() - startedAt)
        else failure ??= `${request.method} ${request.path} answered ${failed}`
        resolve()
      }),
    )
  }
  connection.close()
  return { times, failure }
}

let endNeighbours: (() => Promise<NeighboursResult>) | undefined

function startNeighbours({ url, requests, perSecond }: JobOf<'neighbours-start'>): void {
  const pool = openPool(url, { timeoutMs: 120_000 })
  const times: number[] = []
  const failures: Record<string, number> = {}
  const waiting = new Set<Promise<void>>()
  const startedAt = performance.now()
  let sent = 0

  function ask(request: Request, dueAt: number): void {
    const asked = pool
      .request(request)
      .then(
        (reply) => failureOf(undefined, reply),
        (error: Error) => error.message,
      )
      .then((failure) => {
        times.push(performance.now() - dueAt)
        if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1
        waiting.delete(asked)
      })
    waiting.add(asked)
  }
  const timer = setInterval(() => {
    for (let dueAt = startedAt; ; sent += 1) {
      dueAt = startedAt + (sent * 1_000) / perSecond
      if (dueAt > performance.now()) return
      ask(requests[sent % requests.length] as Request, dueAt)
    }
  }, 2)
  endNeighbours = async () => {
    clearInterval(timer)
    endNeighbours = undefined
    await Promise.all(waiting)
    pool.close()
    return { summary: summaryOf(times), failures }
  }
}

async function journeys(job: JobOf<'journeys'>): Promise<JourneysResult> {
  const gateway = openPool(job.gatewayUrl)
  const simulator = openPool(job.mockUrl)
  const done: Journey[] = []
  let next = 0
  const startedAt = performance.now()
  const walker = async () => {
    while (next < job.count) {
      const index = job.from + next
      next += 1
      const route = job.routes[index % job.routes.length]
      if (route) done.push(await travel(openBrowser([gateway]), simulator, phoneOf(index), route))
    }
  }
  await Promise.all(Array.from({ length: job.atOnce }, walker))
  const seconds = (performance.now() - startedAt) / 1_000
  gateway.close()
  simulator.close()
  return { seconds, journeys: done }
}

/** A level is stopped after this many failures, or with this many unanswered requests. */
const mostFailures = 300
const mostPending = 4_000
/** How long visits in progress may take after the last arrival. */
const drainMs = 150_000

/** State shared by the levels of one stage: agents sign in once, because codes per phone are limited. */
interface Stage {
  readonly gateways: readonly Pool[]
  readonly simulator: Pool
  readonly agents: ReadonlyMap<string, SignedInAgent>
  /** Called for the agents' requests. */
  observe: Observe
}

let stage: Promise<Stage> | undefined

async function openStage(job: JobOf<'level'>): Promise<Stage> {
  const agents = new Map<string, SignedInAgent>()
  const opened: Stage = {
    gateways: job.gatewayUrls.map((url) => openPool(url)),
    simulator: openPool(job.mockUrl),
    agents,
    observe: () => undefined,
  }
  for (const { code, phone } of job.agents) {
    const browser = openBrowser(opened.gateways, (...sample) => opened.observe(...sample))
    agents.set(code, await signInAgent(browser, opened.simulator, phone))
  }
  return opened
}

async function level(job: JobOf<'level'>): Promise<LevelOutcome> {
  stage ??= openStage(job)
  const opened = await stage
  const { gateways, simulator, agents } = opened
  const random = createRandom(job.seed)
  const pending = () => gateways.reduce((sum, pool) => sum + pool.pending(), 0)
  const samples: Sample[] = []
  const reported = new Map<number, ReportedOrder>()
  const lateness: number[] = []
  const unfinished: string[] = []
  let failures = 0
  let checkouts = 0
  let visits = 0
  let isOpen = true
  vitals()
  const startedAt = performance.now()
  const observe: Observe = (operation, ms, failure) => {
    if (!isOpen) return
    samples.push({ atMs: performance.now() - startedAt, operation, ms, failure })
    if (failure !== undefined) failures += 1
  }
  const isBroken = () => failures >= mostFailures || pending() >= mostPending

  let person = job.from
  const newVisitor = (): Visitor => {
    const phone = phoneOf(person)
    person += 1
    return { browser: openBrowser(gateways, observe), simulator, random, phone }
  }
  opened.observe = observe

  async function purchase(): Promise<void> {
    const agent = random.pick(job.agents as [(typeof job.agents)[number]])
    const route = { agentCode: agent.code, centerCode: random.pick(job.centerCodes as [string]) }
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
    const taker = agents.get(agent.code)
    if (last && last.awb !== null && taker) await collect(taker, last.orderId, last.awb, random)
  }

  const active = new Set<Promise<void>>()
  const begin = (visit: () => Promise<void>) => {
    visits += 1
    const under = visit()
      .catch((error: unknown) => void unfinished.push(error instanceof Error ? error.message : String(error)))
      .finally(() => active.delete(under))
    active.add(under)
  }

  const most = Math.ceil(job.ordersPerSecond * job.seconds * 2 + 50)
  const arrivals = [
    ...poissonArrivals(job.ordersPerSecond, job.seconds, random, most).map((at) => ({ at, visit: purchase })),
    ...poissonArrivals(2 * job.ordersPerSecond, job.seconds, random, 2 * most).map((at) => ({
      at,
      visit: () => browse(newVisitor()),
    })),
  ].sort((a, b) => a.at - b.at)
  for (const { at, visit } of arrivals) {
    const waitMs = at - (performance.now() - startedAt)
    if (waitMs > 1) await pause(waitMs)
    if (isBroken()) break
    lateness.push(Math.max(0, performance.now() - startedAt - at))
    begin(visit)
  }
  const wasStopped = isBroken()
  const arrivalSeconds = wasStopped ? (performance.now() - startedAt) / 1_000 : job.seconds
  await Promise.race([Promise.all(active), pause(drainMs, undefined, { ref: false })])
  isOpen = false
  const left = active.size
  return {
    report: reportOf(samples),
    reported: [...reported.values()],
    checkouts,
    arrivalSeconds,
    visits,
    unfinished: unfinished.length + left,
    firstUnfinished: unfinished[0] ?? (left > 0 ? 'still under way when time was up' : undefined),
    wasStopped,
    generator: vitals(),
    lateness: summaryOf(lateness),
  }
}

answerQuestions((question) => {
  const job = question as Job
  switch (job.kind) {
    case 'flood':
      return flood(job)
    case 'line':
      return line(job)
    case 'neighbours-start':
      return startNeighbours(job)
    case 'neighbours-stop':
      return endNeighbours?.()
    case 'journeys':
      return journeys(job)
    case 'level':
      return level(job)
    case 'vitals':
      return vitals()
  }
})
