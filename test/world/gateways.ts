import type { FastifyInstance } from 'fastify'
import { createGateway } from '#server/app.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { createLogger } from '#server/platform/logging.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { minute, second } from '#test/kit/basics/clock.ts'
import type { Random } from '#test/kit/basics/random.ts'
import type { EventReader } from '#test/kit/gateway/event-stream.ts'
import { stackEnv, stackLimits } from '#test/kit/programs/stack.ts'
import { type Answer, connectionError, deliverTo, type Message, openEvents } from './network.ts'
import { as, newProgram, type Program, type Reality } from './reality.ts'
import type { Store } from './world.store.ts'

/** A gateway, on a computer with a clock of its own. */
interface Computer {
  readonly name: string
  program: Program
  /** Undefined while it starts, and after a crash. */
  app: FastifyInstance | undefined
  /** Reads its files: the world stands still, because a disk takes real time. */
  isLoading: boolean
  /** Ends the connections that are open. */
  crash: PromiseWithResolvers<never>
  /** Ahead of true time. */
  aheadMs: number
}

export const gatewayPort = 8080
export const simulatorPort = 8081

const config = (): Config => ({
  ...readConfig({
    ...stackEnv,
    MESSAGES_ENABLED: 'true',
    ENABLED_BOOKING_TYPES: 'FROM_MINA,TO_AND_FROM_MINA',
    TRACKING_POLL_INTERVAL: '30m',
    PORT: String(gatewayPort),
    MOCK_PARTNER_PORT: String(simulatorPort),
    DATA_DIR: '/nonexistent',
    // No name: looking one up takes real time.
    SMTP_URL: 'smtp://127.0.0.1:25',
    SMTP_FROM: 'care@amtiati.example',
  }),
  limits: { ...stackLimits, shipmentQuietMs: minute },
})

interface GatewaysParts {
  readonly random: Random
  readonly reality: Reality
  readonly store: Store
  readonly tell: (who: string, what: string) => void
  readonly wait: (ms: number) => Promise<void>
}

/** Two gateways behind a balancer, over one database. */
export function createGateways({ random, reality, store, tell, wait }: GatewaysParts) {
  const newCrash = () => {
    const crash = Promise.withResolvers<never>()
    crash.promise.catch(() => undefined)
    return crash
  }
  const computers: [Computer, Computer] = [1, 2].map((number) => ({
    name: `gateway ${number}`,
    program: newProgram(`gateway ${number}`),
    app: undefined,
    isLoading: false,
    crash: newCrash(),
    aheadMs: 0,
  })) as [Computer, Computer]

  /**
   * Until the gateway that began to load last waits for its first statement. One loads after the other: how long it takes is
   * no matter of the seed, and which of two would be first would differ.
   */
  let loading: Promise<void> = Promise.resolve()

  async function start(computer: Computer): Promise<void> {
    const program = newProgram(computer.name)
    Object.assign(computer, { program, isLoading: true, crash: newCrash() })
    const loaded = Promise.withResolvers<void>()
    const before = loading
    loading = loaded.promise
    await before
    await as(program, async () => {
      const app = await createGateway({
        config: config(),
        database: store.openFor(program),
        logger: createLogger('silent', { write: () => undefined }),
        version: '1.0.0',
        clock: { now: () => reality.now() + computer.aheadMs, elapsed: () => reality.now() },
        metrics: createMetrics(),
      })
      const ready = app.ready()
      // Its first statement is that of a hook which runs after everything is loaded.
      while (!store.turns.isWaiting(program)) await reality.settle()
      computer.isLoading = false
      loaded.resolve()
      await ready
      if (program.isUp) computer.app = app
    })
  }

  function end(computer: Computer): void {
    const { program } = computer
    if (!program.isUp) return
    tell(computer.name, 'is killed')
    reality.end(program)
    store.drop(program)
    computer.app = undefined
    computer.crash.reject(connectionError('ECONNRESET'))
    void wait(random.between(1, 90) * second).then(() => {
      tell(computer.name, 'starts again')
      return start(computer)
    })
  }

  function anyUp(): Computer {
    const ready = computers.filter(({ app }) => app !== undefined)
    return ready[random.between(0, ready.length - 1)] ?? computers[0]
  }

  return {
    startAll(aheadMs: () => number): void {
      for (const computer of computers) {
        computer.aheadMs = aheadMs()
        void start(computer)
      }
    },
    isLoading: () => computers.some(({ isLoading }) => isLoading),

    /** To whichever gateway is up. @throws as `fetch` */
    async deliver(message: Message): Promise<Answer> {
      const { app, program, crash } = anyUp()
      if (app === undefined) throw connectionError('ECONNREFUSED')
      return Promise.race([as(program, () => deliverTo(app, message)), crash.promise])
    },

    /** @throws as `fetch` */
    async follow(path: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
      const { app, program, crash } = anyUp()
      if (app === undefined) throw connectionError('ECONNREFUSED')
      const opened = as(program, () => openEvents(app, path, headers))
      const stream = await Promise.race([opened, crash.promise])
      return { ...stream, next: () => Promise.race([stream.next(), crash.promise.catch(() => undefined)]) }
    },

    /** Ends the gateway whose statement it was, between two statements; it starts again later. */
    kill(program: Program): void {
      const computer = computers.find((one) => one.program === program)
      if (computer) end(computer)
    },

    /** Ends all of them with the machine of their database. */
    cutPower(): void {
      tell('the power', 'is cut')
      for (const computer of computers) end(computer)
      store.cutPower()
    },

    setClock(): void {
      const computer = random.pick(computers)
      computer.aheadMs += random.between(-60, 60) * second
      tell(computer.name, `has a clock that is ${Math.round(computer.aheadMs / 1_000)} s ahead`)
    },

    end(): void {
      for (const { program } of computers) reality.end(program)
    },
  }
}
