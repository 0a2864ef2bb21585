import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import tag from '#client/entities/tag/tag.ar.json' with { type: 'json' }
import { paths } from '#client/platform/paths.ts'
import { recordHandover } from '#shared/orders/handovers.operations.ts'
import { readOrder, readOrderEvents } from '#shared/orders/orders.operations.ts'
import { agentCodeOf, issuedAwb, newPhone } from '#test/builders/pilgrim.builder.ts'
import { startVisits, type Visits } from '#test/kit/browser/chromium.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import { type Haproxy, startHaproxy } from '#test/kit/programs/haproxy.ts'
import { onFreePorts } from '#test/kit/programs/ports.ts'
import { type ProcessStack, startStack } from '#test/kit/programs/stack.ts'
import { startPostgres } from './deployment.ts'
import { inTurn, type Traveller } from './load.ts'
import { residentMbOf } from './machine.ts'
import { figure, median, type Options, type Result, say, summaryOf } from './report.ts'
import { getAs, type Season, startSeason } from './season.store.ts'

/**
 * Live pages: how soon a pilgrim sees a hand-over, in Chromium through the proxy of deployments with two gateways
 * on PostgreSQL; and the cost of idle streams for one gateway.
 */

/** Hand-overs per minute that a session may record. */
const perMinute = 30
const agentPhones = ['+966500000101', '+966500000102', '+966500000103']
const seenWithinMs = 500
const quickLabels = { MOCK_LABELS: 'fixed', MOCK_SHIPPING_LAG_MS: '0' }

const streams = 2_000
const streamsPerUser = 3
const addedMb = 100
const slowerTimes = 1.25
const readers = 20

export async function runLive({ rounds, seconds, journeys }: Options): Promise<Result> {
  const seen = await measureHandovers(journeys)
  const idle = await measureIdle(rounds, seconds)
  const { p95, median: middle, slowest } = summaryOf(seen)
  const line = (what: string, measured: number, unit: string, promised: number | string = '–') => ({
    what,
    measured,
    unit,
    promised,
  })
  return {
    lines: [
      line(
        `from the answer of a hand-over to the pilgrim’s DOM, p95 of ${seen.length}`,
        p95,
        'ms',
        seenWithinMs,
      ),
      line('the same, median', middle, 'ms'),
      line('the same, slowest', slowest, 'ms'),
      line(`resident memory that ${streams} idle streams add`, idle.addedMb, 'MB', addedMb),
      line(
        'p95 of other requests with them, against without',
        idle.withMs / idle.withoutMs,
        'times',
        slowerTimes,
      ),
      line('the same without', idle.withoutMs, 'ms'),
      line('the same with', idle.withMs, 'ms'),
    ],
    faults: seen.some(Number.isNaN) ? ['a hand-over was never seen'] : idle.faults,
    details: seen,
  }
}

/** Milliseconds from each hand-over's answer to the pilgrim's page; 0 when the page was first. */
async function measureHandovers(handovers: number): Promise<number[]> {
  const postgres = await startPostgres()
  const databaseUrl = await postgres.createDatabase()
  const visits = await startVisits()
  try {
    return await onFreePorts(1, async ([port = 0]) => {
      const url = `http://127.0.0.1:${port}`
      const env = { PUBLIC_URL: url, CALLBACK_URL: url, DATABASE_URL: databaseUrl, ...quickLabels }
      const stack = await startStack({ gateways: 2, env, isLogFile: true })
      let haproxy: Haproxy | undefined
      try {
        const [one = '', two = ''] = stack.gatewayUrls
        haproxy = await startHaproxy([one, two], { port, isHasty: true })
        await haproxy.untilUp(2)
        return await seeHandovers({ stack, url, visits }, handovers)
      } finally {
        await haproxy?.close()
        await stack.close()
      }
    })
  } finally {
    await visits.close()
    await postgres.end()
  }
}

interface Site {
  readonly stack: ProcessStack
  readonly url: string
  readonly visits: Visits
}

async function seeHandovers({ stack, url, visits }: Site, handovers: number): Promise<number[]> {
  const pilgrim = newPerson(stack, { gatewayUrl: url })
  const { id: userId } = await pilgrim.signUp(newPhone(), 'Maryam Al-Harbi')
  const agents = await Promise.all(
    agentPhones.map(async (phone) => {
      const person = newPerson(stack, { gatewayUrl: url })
      await person.signInAgent(phone)
      return { person, code: await agentCodeOf(person, phone) }
    }),
  )
  const { page } = await visits.open({ url, language: 'ar' })
  await page.context().addCookies([...pilgrim.cookies].map(([name, value]) => ({ name, value, url })))
  const seen: number[] = []
  const startedAt = performance.now()
  for (let index = 0; index < handovers; index += 1) {
    const { person, code } = agents[index % agents.length] as (typeof agents)[number]
    const { orderId } = await pilgrim.checkout(userId, { agentCode: code })
    await stack.control.replay(orderId, 'success')
    const awb = await issuedAwb(pilgrim, orderId)
    await openOrder(page, orderId)
    const dueAt = startedAt + (index * 60_000) / (perMinute * agents.length)
    await pause(Math.max(0, dueAt - performance.now()))
    seen.push(await seeOne(page, person, awb))
    if ((index + 1) % 50 === 0) say(`  ${index + 1} hand-overs, median ${figure(median(seen))} ms`)
  }
  return seen
}

async function openOrder(page: Page, orderId: number): Promise<void> {
  const path = readOrderEvents.path.replace(':id', String(orderId))
  const opened = page.waitForResponse((response) => new URL(response.url()).pathname === path)
  await page.goto(paths.order(orderId))
  await opened
  await page.evaluate((text) => {
    const now = () => performance.timeOrigin + performance.now()
    const seen = new Promise<number>((resolve) => {
      const look = () => document.body.textContent?.includes(text) && resolve(now())
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      })
    })
    Object.assign(window, { seen })
  }, tag.receipt.title)
}

async function seeOne(page: Page, agent: Person, awb: string): Promise<number> {
  await agent.call(recordHandover, { body: { awb } })
  const answeredAt = performance.timeOrigin + performance.now()
  const seenAt = await Promise.race([
    page.evaluate(() => (window as unknown as { seen: Promise<number> }).seen),
    pause(30_000, Number.NaN),
  ])
  return Math.max(0, seenAt - answeredAt)
}

async function measureIdle(rounds: number, seconds: number) {
  const users = Math.ceil(streams / streamsPerUser) + readers
  const deployment = await startSeason({ people: users })
  const { pid } = deployment.programs()[1] ?? { pid: 0 }
  const [without, beside]: [number[], number[]] = [[], []]
  const faults: string[] = []
  let added = Number.NaN
  async function others(): Promise<number> {
    const { times, failure } = await readOrders(deployment, seconds)
    if (failure !== undefined) faults.push(failure)
    return summaryOf(times).p95
  }
  try {
    // The first requests compile and cache, which is no cost of streams.
    await others()
    for (let round = 1; round <= rounds; round += 1) {
      await collect(pid)
      const before = residentMbOf(pid)
      without.push(await others())
      const open = await openStreams(deployment)
      await collect(pid)
      if (round === 1) added = residentMbOf(pid) - before
      beside.push(await others())
      for (const stream of open) stream.destroy()
      say(`  round ${round}: ${figure(without.at(-1) ?? 0)}, ${figure(beside.at(-1) ?? 0)} ms`)
    }
  } finally {
    await deployment.close()
  }
  return { addedMb: added, withoutMs: median(without), withMs: median(beside), faults }
}

const orderPath = (path: string, { orderId }: Traveller) => path.replace(':id', String(orderId))

async function readOrders({ gatewayUrl, people }: Season, seconds: number) {
  const requests = people.slice(0, readers).map((person) => getAs(person, orderPath(readOrder.path, person)))
  const endAt = performance.now() + seconds * 1_000
  const times: number[] = []
  let failure: string | undefined
  while (performance.now() < endAt) {
    const round = await inTurn(gatewayUrl, requests)
    times.push(...round.times)
    failure ??= round.failure
  }
  return { times, failure }
}

async function openStreams({ gatewayUrl, people }: Season): Promise<IncomingMessage[]> {
  const open: IncomingMessage[] = []
  while (open.length < streams) {
    const person = people[readers + Math.floor(open.length / streamsPerUser)]
    if (!person) throw new Error('there are too few users')
    const count = Math.min(streamsPerUser, streams - open.length)
    open.push(...(await Promise.all(Array.from({ length: count }, () => openStream(gatewayUrl, person)))))
  }
  return open
}

async function openStream(gatewayUrl: string, person: Traveller): Promise<IncomingMessage> {
  const { path, headers = {} } = getAs(person, orderPath(readOrderEvents.path, person))
  const [response] = (await once(get(`${gatewayUrl}${path}`, { headers, agent: false }), 'response')) as [
    IncomingMessage,
  ]
  if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`)
  response.on('error', () => undefined).resume()
  return response
}

const inspector = 'http://127.0.0.1:9229/json/list'

async function collect(pid: number): Promise<void> {
  process.kill(pid, 'SIGUSR1')
  let url: string | undefined
  while (url === undefined) {
    await pause(100)
    const targets = await fetch(inspector).then(
      (answer) => answer.json(),
      () => [],
    )
    url = targets[0]?.webSocketDebuggerUrl
  }
  const socket = new WebSocket(url)
  await once(socket, 'open')
  for (const id of [1, 2]) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await once(socket, 'message')
  }
  socket.close()
}
