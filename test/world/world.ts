import './process.ts'
import { createMockPartner } from '#mock/app.ts'
import { hour, minute, second } from '#test/kit/basics/clock.ts'
import { createRandom, type Random } from '#test/kit/basics/random.ts'
import { migratedBytes } from '#test/kit/database/memory-database.ts'
import { createGateways, gatewayPort } from './gateways.ts'
import { type Answer, carry, connectionError, deliverTo, fates, fetchBy, type Message } from './network.ts'
import { people } from './people.ts'
import { openPostgresStore } from './postgres.store.ts'
import { type Broken, watch } from './promises.ts'
import { as, newProgram, type Program, type Reality, replaceReality } from './reality.ts'
import { drawWeather, roughMs, type Trouble, type Weather } from './weather.ts'
import { openStore, PowerCut, type Store } from './world.store.ts'
import type { Notes, World } from './world.types.ts'

/** Which world, and what of it is left out: for the shortest story of what was found. */
export interface Wish {
  readonly seed: number
  /** People who stay at home, by their number. */
  readonly without?: readonly number[]
  /** Troubles that do not occur. */
  readonly calm?: readonly Trouble[]
  /** Groups bring this many bags to one agent, in place of single pilgrims. Each bag gets a picture, half of them off line. */
  readonly bags?: number
  /** A migrated PostgreSQL database of its own, in place of SQLite in memory. The same wish is then not the same world. */
  readonly postgres?: string
}

export interface Outcome {
  readonly broken: Broken | undefined
  /** What happened, oldest first. */
  readonly story: readonly string[]
}

/** A Friday in the season. */
const startAt = Date.UTC(2027, 4, 14, 6)
/** Everything has come to rest by then: the operator's second day, which begins up to an hour late while all sleep, lasts longest. */
const restMs = 31 * hour
const patienceMs = 30 * second
const mostStatements = 60_000

const restPromise = 'everything comes to rest within a day of the world after the last fault'

/** Runs a world to its rest, or to the first promise that does not hold. The same wish is the same world. */
export async function runWorld(wish: Wish): Promise<Outcome> {
  const tables = await migratedBytes()
  const random = createRandom(wish.seed)
  let send: Parameters<typeof fetchBy>[0] = () => Promise.reject(new Error('the world has not begun'))
  const reality = replaceReality(
    random,
    startAt,
    fetchBy((...sent) => send(...sent)),
  )
  try {
    const calm = new Set(wish.calm)
    if (wish.postgres !== undefined) calm.add('power')
    const weather = drawWeather(random, reality, calm)
    const store =
      wish.postgres === undefined
        ? openStore(tables, reality.now)
        : openPostgresStore(wish.postgres, reality.now)
    const built = build(random, reality, weather, store)
    send = built.route
    try {
      return { broken: await live(wish, random, weather, built), story: built.story }
    } finally {
      await built.end()
    }
  } finally {
    reality.restore()
  }
}

function build(random: Random, reality: Reality, weather: Weather, store: Store) {
  const story: string[] = []
  const [services, operator, time] = [newProgram('simulator'), newProgram('operator'), newProgram('time')]
  const operatorDatabase = store.openFor(operator)
  const notes: Notes = {
    shownPaid: new Set(),
    handedOver: new Set(),
    pictured: new Map(),
    refusedPictures: new Map(),
    seenPictures: new Map(),
    notAccepted: new Map(),
    forfeited: new Set(),
    forgotten: new Set(),
    byHand: new Map(),
    collectors: new Map(),
    foreignScans: new Set(),
    claims: new Set(),
    streams: new Map(),
    codes: new Map(),
    typed: new Set(),
    strayChecks: [],
    strayStops: [],
    acted: new Set(),
  }

  const tell = (who: string, what: string) =>
    void story.push(`${new Date(reality.now() - startAt).toISOString().slice(11, 19)}  ${who} ${what}`)
  const wait = (ms: number) => as(time, () => new Promise<void>((resolve) => setTimeout(() => resolve(), ms)))
  const gateways = createGateways({ random, reality, store, tell, wait })
  const simulator = as(services, () =>
    createMockPartner({
      trackingCallbackUrl: `http://localhost:${gatewayPort}/api/tracking/callback`,
      hasFixedLabel: true,
      shippingLagMs: weather.shippingLagMs,
    }),
  )
  simulator.payment.setUnusual({ probability: 0.05, lagMs: weather.paymentLagMs })
  simulator.shippingControl.change({ scenarios: [...weather.shippingScenarios] })
  if (weather.shippingScenarios.length > 0)
    tell('the courier', `answers oddly: ${weather.shippingScenarios.join(', ')}`)
  void wait(roughMs).then(() => simulator.shippingControl.change({ scenarios: [] }))

  function noteCheck(asked: URLSearchParams): void {
    const to = simulator.otp.attempts(asked.get('VerificationSid') ?? '')[0]?.verification.to
    if (to !== undefined && !notes.typed.has(`${to} ${asked.get('Code')}`)) notes.strayChecks.push(to)
  }

  async function deliverToService(service: string, message: Message): Promise<Answer> {
    if (message.path.endsWith('/void_refund/refund') && weather.forgetsRefund()) {
      const { transaction_id } = JSON.parse(String(message.body))
      notes.forgotten.add(String(transaction_id))
      tell('the bank', `takes the refund of ${transaction_id} and forgets it`)
      return { status: 200, headers: {}, bytes: Buffer.from('{"id":1,"success":true,"pending":true}') }
    }
    if (message.path.endsWith('/VerificationCheck')) noteCheck(new URLSearchParams(String(message.body)))
    const answer = await as(services, () => deliverTo(simulator.app, message))
    if (service === 'otp') {
      const { status, to } = JSON.parse(Buffer.from(answer.bytes).toString())
      if (status === 'approved') notes.codes.set(to, (notes.codes.get(to) ?? 0) + 1)
    }
    return answer
  }

  function route(from: Program, url: URL, message: Message): Promise<Answer> {
    const isToGateway = url.port === String(gatewayPort)
    const service = url.pathname.split('/')[1] ?? ''
    const drawn = weather.fateOf(url.pathname)
    // Nothing between us and a service repeats a request; what a service sends us may come twice.
    const fate = drawn === 'twice' && !isToGateway ? 'late' : drawn
    if (fate !== 'answered') tell(from.name, `calls ${message.method} ${url.pathname}, which ${fates[fate]}`)
    return carry(message, fate, random, (one) =>
      isToGateway ? gateways.deliver(one) : deliverToService(service, one),
    )
  }

  const sleepers = { count: 0 }
  const world: World = {
    reality,
    store,
    simulator,
    notes,
    tell,
    wait,
    follow: gateways.follow,
    interrupt: weather.interrupt,
    async sleep(ms) {
      sleepers.count += 1
      await wait(ms)
      sleepers.count -= 1
    },
    atSimulator: (work) => as(services, work),
    asOperator: (work) => as(operator, () => despitePowerCuts(() => work(operatorDatabase))),
    ask(who, message) {
      const fate = weather.fateOnPhone()
      if (fate !== 'answered') tell(who, `sends ${message.method} ${message.path}, which ${fates[fate]}`)
      const impatience = wait(patienceMs).then(() => Promise.reject(connectionError('ETIMEDOUT')))
      return Promise.race([carry(message, fate, random, gateways.deliver), impatience])
    },
  }
  async function end(): Promise<void> {
    gateways.end()
    for (const program of [services, operator, time]) reality.end(program)
    await store.close()
  }
  return { world, gateways, sleepers, story, route, end }
}

/** An operator whose command the power cut ended gives it again. */
async function despitePowerCuts<T>(command: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await command()
    } catch (error) {
      if (!(error instanceof PowerCut)) throw error
    }
  }
}

async function live(
  wish: Wish,
  random: Random,
  weather: Weather,
  { world, gateways, sleepers }: ReturnType<typeof build>,
): Promise<Broken | undefined> {
  const { reality, store } = world
  await world.atSimulator(() => world.simulator.app.ready())
  gateways.startAll(weather.clockAtStart)
  const promises = watch(world, wish.bags)
  let busy = 0
  let failure: Broken | undefined
  for (const [number, person] of people(world, wish.seed, wish.bags).entries()) {
    if (wish.without?.includes(number)) continue
    busy += 1
    as(newProgram(person.name), () => person.live()).then(
      () => {
        busy -= 1
      },
      (error) => {
        failure = { promise: 'the world itself has no fault', found: `${person.name}: ${error?.stack}` }
      },
    )
  }

  /** Ends a gateway or all of them, before or after what the last statement leads to. */
  async function strike(end: () => void): Promise<void> {
    if (random.chance(0.5)) await reality.settle()
    end()
  }

  /** Runs one of the statements that wait, and perhaps ends a gateway before or after it. */
  async function step(ready: number): Promise<void> {
    const program = store.turns.run(random.between(0, ready - 1))
    if (weather.isCrash()) await strike(() => gateways.kill(program))
    if (weather.isPowerCut()) await strike(() => gateways.cutPower())
    if (weather.isClockSet()) gateways.setClock()
  }

  function passTime(isActive: boolean, work: number | undefined): void {
    const now = reality.now()
    // All sleep, and a loop that runs all its rounds meanwhile would find nothing in each.
    if (!isActive && work === undefined) {
      reality.pass(hour)
      return
    }
    // As long as people act, loops run their rounds; later only when something is due.
    const round = weather.isRough() ? 30 * second : 2 * minute
    const quiet = isActive ? now + round : Math.max(work ?? now, now) + 2 * second
    const next = Math.min(reality.nextTimer() ?? quiet, quiet)
    reality.pass(Math.max(1, Math.min(next - now, hour)))
  }

  let changes = 0
  async function checkChanges(): Promise<Broken | undefined> {
    if (!store.isAtRest() || changes === store.changes()) return undefined
    changes = store.changes()
    return promises.afterStep()
  }

  const atLast = async (): Promise<Broken> =>
    (await promises.atRest()) ?? { promise: restPromise, found: await promises.unfinished() }

  /** When no statement waits: lets time pass. @returns the end of the world, when there is nothing left to do */
  async function rest(): Promise<{ readonly found: Broken | undefined } | undefined> {
    const untold = await promises.atQuiet()
    if (untold) return { found: untold }
    const isActive = busy > sleepers.count || weather.isRough()
    const work = await promises.nextWork()
    if (!isActive && work === undefined && sleepers.count === 0) return { found: await promises.atRest() }
    if (reality.now() - startAt > roughMs + restMs) return { found: await atLast() }
    passTime(isActive, work)
    return undefined
  }

  for (let statements = 0; statements < mostStatements; ) {
    await reality.settle()
    await store.settled()
    if (failure) return failure
    if (gateways.isLoading()) continue
    const broken = await checkChanges()
    if (broken) return broken
    const ready = store.turns.ready()
    if (ready > 0) {
      await step(ready)
      statements += 1
      continue
    }
    const end = await rest()
    if (end) return end.found
  }
  return atLast()
}
